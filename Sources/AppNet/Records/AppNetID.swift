public import HeliumJSON

/// The id of an object: a string of decimal digits that grows with time within a kind (Docs/Protocols/AppNet.md §1.4).
///
/// ```swift
/// let channel: AppNetChannel.ID = 27024
/// ```
///
/// Ids of digits are compared as numbers of any length. They come before other ids, which are compared as text. Where a
/// call takes users, an id may also be an `@name`. Files and places may have ids that are not numbers.
public struct AppNetID<Owner>: Hashable, Sendable {
    /// The text of the id, as it appears in URLs.
    public let text: String

    /// Creates an id from its text.
    public init(_ text: String) { self.text = text }

    /// Creates an id from a number.
    public init(_ number: Int) { text = number.description }

    /// The number of the id; `nil` if the id is not a number or does not fit into an `Int`.
    public var number: Int? {
        guard let number = Int(text), number.description == text else { return nil }
        return number
    }
}

extension AppNetID {
    /// Returns whether two ids have the same text. The texts are compared by their UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the text's bytes.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension AppNetID: Comparable {
    /// Returns whether the left id is older: a lower number, or a text that sorts before the right one.
    public static func < (left: Self, right: Self) -> Bool {
        switch (left.digits, right.digits) {
        case (let left?, let right?) where left.count != right.count: left.count < right.count
        case (let left?, let right?) where !left.elementsEqual(right): left.lexicographicallyPrecedes(right)
        case (.some, nil): true
        case (nil, .some): false
        default: left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }
    }

    /// The digits without leading zeros; `nil` if the text contains anything else.
    private var digits: Substring.UTF8View? {
        guard !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return text.drop { $0 == "0" }.utf8
    }
}

extension AppNetID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, LosslessStringConvertible {
    /// Creates an id from a number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Creates an id from its text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text of the id.
    public var description: String { text }
}

extension AppNetID: WireScalar {
    package init(native: String) { text = native }
    package init(substitute: WireSubstitute) { text = substitute.text }
    package var native: String { text }
    package static var expectation: String { "an id" }
}

extension AppNetID: Codable, JSONReadable {
    /// Decodes a string or a number.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Decodes a string or a number.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Encodes a string.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}

extension AppNetID<AppNetUser> {
    /// The id of the token's user, for calls that take a user.
    public static var me: Self { Self("me") }

    /// Returns the id of a user by name. The `@` is optional.
    public static func named(_ name: String) -> Self { Self(name.hasPrefix("@") ? name : "@\(name)") }
}
