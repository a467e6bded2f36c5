public import HeliumJSON

/// The id of something of the service's: a number, which some documents have as a text.
///
/// ```swift
/// let shed: Feed.ID = 504
/// ```
///
/// What is no number is kept as it came (an old document's key has `1j2s8agjgksdjg`).
public struct CosmID<Owner>: Hashable, Sendable {
    /// The id's text, as in URLs.
    public let text: String

    /// The id with that text.
    public init(_ text: String) { self.text = text }

    /// The id with that number.
    public init(_ number: Int) { text = number.description }

    /// The number; `nil` if the id is none that is written so.
    public var number: Int? {
        guard let number = Int(text), number.description == text else { return nil }
        return number
    }
}

extension CosmID {
    /// Whether two ids are the same text. Texts are compared by their UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the text's bytes.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension CosmID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, LosslessStringConvertible {
    /// The id with that number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// The id with that text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The id's text.
    public var description: String { text }
}

extension CosmID: Codable, JSONReadable, WireText {
    static var expectation: String { "id" }

    init(wireText text: String) { self.init(text) }

    var wireText: String { text }

    /// Reads a number or a text.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a number or a text.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes a number, or the text if it is none.
    public func encode(to encoder: any Encoder) throws {
        guard let number else { return try encode(wireTo: encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
