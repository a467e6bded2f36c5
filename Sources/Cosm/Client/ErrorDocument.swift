internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// What the server says of a failure (§2.4): in JSON a title and one or several errors, in XML the same as elements.
struct ErrorDocument: Hashable, Sendable {
    var title: String?
    var messages: [String] = []

    /// How much of an answer is looked at: an error says what it says in less.
    private static let maximumBytes = 64 << 10

    /// Reads a body; anything that is no such document says nothing.
    init(_ body: Data) {
        guard !body.isEmpty, body.count <= Self.maximumBytes else { return }
        let first = body.first { $0 != 0x20 && $0 &- 0x09 >= 5 }
        if first == UInt8(ascii: "<") {
            readXML(body)
        } else if first == UInt8(ascii: "{"), let object = (try? JSONValue(parsing: body))?.objectValue {
            title = object["title"]?.stringValue
            messages = Self.texts(object["errors"])
        }
    }

    /// A string, an array of them, or an object of either by field.
    private static func texts(_ value: JSONValue?) -> [String] {
        switch value {
        case .string(let text): text.isEmpty ? [] : [text]
        case .array(let elements): elements.flatMap { texts($0) }
        case .object(let fields): fields.flatMap { name, value in texts(value).map { "\(name) \($0)" } }
        case .number(let number): [number.description]
        case .bool, .null, nil: []
        }
    }

    private mutating func readXML(_ body: Data) {
        var limits = MarkupLimits()
        limits.maximumBytes = Self.maximumBytes
        guard let root = try? MarkupParser.parse(body, limits: limits).root, root.name == "errors" else { return }
        title = root.child("title")?.trimmedText
        messages = root.children(named: "error").map(\.trimmedText).filter { !$0.isEmpty }
    }
}

/// The rate limit, which version 2 answers like a missing permission (§2.5).
enum RateLimit {
    /// Whether a 403 is meant so.
    static func isMeant(by document: ErrorDocument) -> Bool {
        ([document.title].compactMap(\.self) + document.messages).contains {
            $0.lowercased().containsBytes(of: "rate limit")
        }
    }

    /// For the retry policy.
    @Sendable
    static func hint(_ head: ResponseHead, _ body: Data) -> RetryReason? {
        head.status == 403 && isMeant(by: ErrorDocument(body)) ? .rateLimited : nil
    }
}
