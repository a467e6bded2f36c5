public import HeliumJSON

/// The id of something of the service's: decimal digits in a string, growing with time within a kind (§1.4).
///
/// ```swift
/// let channel: AppNetChannel.ID = 27024
/// ```
///
/// Ids of digits compare as numbers of any length, and come before others, which compare as texts. Where a list of users takes
/// user names, an id may be `@name`; files and places may have ids that are no numbers.
public struct AppNetID<Owner>: Hashable, Sendable {
    /// The id's text, as in URLs.
    public let text: String

    /// The id with that text.
    public init(_ text: String) { self.text = text }

    /// The id with that number.
    public init(_ number: Int) { text = number.description }

    /// The number; `nil` if the id is none, or one that does not fit.
    public var number: Int? {
        guard let number = Int(text), number.description == text else { return nil }
        return number
    }
}

extension AppNetID {
    /// Whether two ids are the same text. Texts are compared by their UTF-8 bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the text's bytes.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension AppNetID: Comparable {
    /// Whether the left id is older: a lower number, or a text before.
    public static func < (left: Self, right: Self) -> Bool {
        switch (left.digits, right.digits) {
        case (let left?, let right?) where left.count != right.count: left.count < right.count
        case (let left?, let right?) where !left.elementsEqual(right): left.lexicographicallyPrecedes(right)
        case (.some, nil): true
        case (nil, .some): false
        default: left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }
    }

    /// The digits without leading zeros; `nil` if something else is among them.
    private var digits: Substring.UTF8View? {
        guard !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return text.drop { $0 == "0" }.utf8
    }
}

extension AppNetID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, LosslessStringConvertible {
    /// The id with that number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// The id with that text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The id's text.
    public var description: String { text }
}

extension AppNetID: WireScalar {
    package init(native: String) { text = native }
    package init(substitute: WireSubstitute) { text = substitute.text }
    package var native: String { text }
    package static var expectation: String { "id" }
}

extension AppNetID: Codable, JSONReadable {
    /// Reads a text or a number.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text or a number.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes a text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}

extension AppNetID<AppNetUser> {
    /// The user of the token, where a call takes a user.
    public static var me: Self { Self("me") }

    /// A user by name, with or without `@`.
    public static func named(_ name: String) -> Self { Self(name.hasPrefix("@") ? name : "@\(name)") }
}
