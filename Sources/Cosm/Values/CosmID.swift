public import HeliumJSON

/// The id of a resource of the service. It is a number, which some documents write as a text.
///
/// ```swift
/// let shed: Feed.ID = 504
/// ```
///
/// A text that is not a number is kept as it is (an old document's key has `1j2s8agjgksdjg`).
public struct CosmID<Owner>: Hashable, Sendable {
    /// The text of the id, as in URLs.
    public let text: String

    /// Creates an id from a text.
    public init(_ text: String) { self.text = text }

    /// Creates an id from a number.
    public init(_ number: Int) { text = number.description }

    /// The number; `nil` if the text is not a number in its shortest form.
    public var number: Int? {
        guard let number = Int(text), number.description == text else { return nil }
        return number
    }
}

extension CosmID {
    /// Returns whether two ids have the same text. Texts are compared by their UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the UTF-8 bytes of the text.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension CosmID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, LosslessStringConvertible {
    /// Creates an id from a number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Creates an id from a text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text of the id.
    public var description: String { text }
}

extension CosmID: Codable, JSONReadable, WireValue {
    static var expectation: String { "an id" }

    init(wireText text: String) { self.init(text) }

    var wireText: String { text }

    /// Encodes a number, or a text if the id is not a number.
    public func encode(to encoder: any Encoder) throws {
        guard let number else { return try encode(wireTo: encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
