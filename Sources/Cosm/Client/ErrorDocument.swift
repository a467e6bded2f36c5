internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// The error body of a failed response (Docs/Protocols/Cosm.md §2.4): a title and one or several messages, in JSON or
/// XML.
struct ErrorDocument: Hashable, Sendable {
    var title: String?
    var messages: [String] = []

    /// The largest body that is read, in bytes. Larger ones are ignored.
    private static let maximumBytes = 64 << 10

    /// Reads a body. A body that is not an error document leaves the title `nil` and the messages empty.
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

    /// Returns the messages in a string, an array of strings, or an object that maps fields to either.
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

/// Recognizes rate limiting, which version 2 reports with 403 like a missing permission (Docs/Protocols/Cosm.md §2.5).
enum RateLimit {
    /// Returns whether the error body of a 403 mentions a rate limit.
    static func isMeant(by document: ErrorDocument) -> Bool {
        ([document.title].compactMap(\.self) + document.messages).contains {
            $0.lowercased().containsBytes(of: "rate limit")
        }
    }

    /// The retry hint for ``CosmClient``'s requests.
    @Sendable
    static func hint(_ head: ResponseHead, _ body: Data) -> RetryReason? {
        head.status == 403 && isMeant(by: ErrorDocument(body)) ? .rateLimited : nil
    }
}
