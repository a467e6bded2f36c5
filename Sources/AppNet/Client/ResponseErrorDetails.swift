package import Foundation
internal import HeliumCore
internal import HeliumJSON

/// The error data of a failed response, from the envelope's `meta` (Docs/Protocols/AppNet.md §1.5) or from an OAuth
/// error (§1.3).
package struct ResponseErrorDetails: Hashable, Sendable {
    var code: Int?
    var message: String?
    var slug: String?
    var id: String?
    package private(set) var retryIn: Duration?
    var oauth: OAuthRefusal?

    /// The maximum size of a body that is parsed. Error documents are smaller.
    private static let maximumBytes = 64 << 10

    /// Reads an error document. All properties are `nil` if the body is not one.
    package init(_ body: Data) {
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

    /// Creates the error data of a response's `meta`, whose code has to be 2xx whatever the status of the response
    /// (Docs/Protocols/AppNet.md §1.5); `nil` for a success.
    init?(_ meta: ResponseMeta?) {
        guard let meta, Self.isFailure(meta.code) else { return nil }
        code = meta.code
        message = meta.errorMessage
        slug = meta.errorSlug
        id = meta.errorID
        retryIn = meta.retryIn.flatMap { RateLimit.seconds(String($0)) }
    }

    /// Whether the body's own code means a failure.
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
