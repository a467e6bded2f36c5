internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// What the service says of a failure: in the envelope's `meta` (§1.5), or at the top in OAuth's form (§1.3).
struct AnswerFault: Hashable, Sendable {
    var code: Int?
    var message: String?
    var slug: String?
    var id: String?
    var retryIn: Duration?
    var oauth: OAuthRefusal?

    /// How much of an answer is looked at: an error says what it says in less.
    private static let maximumBytes = 64 << 10

    /// Reads a body; anything that is no such document says nothing.
    init(_ body: Data) {
        guard !body.isEmpty, body.count <= Self.maximumBytes,
            let document = (try? JSONValue(parsing: body))?.objectValue
        else { return }
        if let meta = document["meta"]?.objectValue {
            code = meta["code"]?.intValue
            message = meta["error_message"]?.stringValue
            slug = meta["error_slug"]?.stringValue
            id = meta["error_id"]?.stringValue
            retryIn = meta["retry_in"].flatMap(Self.seconds)
        }
        if let error = document["error"]?.stringValue {
            oauth = OAuthRefusal(
                code: error,
                explanation: document["error_description"]?.stringValue,
                userTitle: document["error_title"]?.stringValue,
                userText: document["error_text"]?.stringValue
            )
            slug = slug ?? document["error_slug"]?.stringValue
        }
    }

    /// What an answer's `meta` says, which has to be 2xx (§1.5), whatever the answer's status; `nil` of a success.
    init?(_ meta: ResponseMeta?) {
        guard let meta, Self.isFailure(meta.code) else { return nil }
        code = meta.code
        message = meta.errorMessage
        slug = meta.errorSlug
        id = meta.errorID
        retryIn = meta.retryIn.flatMap { RateLimit.seconds(String($0)) }
    }

    /// Whether a body's own code tells of a failure.
    var isFailure: Bool { Self.isFailure(code) }

    private static func isFailure(_ code: Int?) -> Bool { code.map { !(200..<300).contains($0) } ?? false }

    private static func seconds(_ value: JSONValue) -> Duration? {
        switch value {
        case .string(let text): RateLimit.seconds(text)
        case .number: value.intValue.flatMap { RateLimit.seconds(String($0)) }
        default: nil
        }
    }
}
