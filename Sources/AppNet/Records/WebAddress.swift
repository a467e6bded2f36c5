public import Foundation
public import HeliumJSON

/// A URL as the service wrote it. Text that is not a valid URL, such as the template `https://example.com/{post_id}`,
/// is kept too.
public struct WebAddress: Hashable, Sendable {
    /// The unchanged text.
    public let text: String

    /// Creates an address from its text.
    public init(_ text: String) { self.text = text }

    /// Creates an address from a URL.
    public init(_ url: URL) { text = url.absoluteString }

    /// The URL; `nil` if the text is not a valid URL.
    public var url: URL? { URL(string: text) }
}

extension WebAddress: ExpressibleByStringLiteral, LosslessStringConvertible {
    /// Creates an address from its text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text.
    public var description: String { text }
}

extension WebAddress: WireScalar {
    package init(native: String) { text = native }
    package init?(substitute: WireSubstitute) { return nil }
    package var native: String { text }
    package static var expectation: String { "a URL" }
}

extension WebAddress: Codable, JSONReadable {
    /// Decodes a string.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Decodes a string.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Encodes the string.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
