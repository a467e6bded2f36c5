public import Foundation
public import HeliumJSON

/// A URL as the service wrote it. What is no URL by the rules, as a template (`https://example.com/{post_id}`), is kept too.
public struct WebAddress: Hashable, Sendable {
    /// The text as it came.
    public let text: String

    /// The address with that text.
    public init(_ text: String) { self.text = text }

    /// The address of a URL.
    public init(_ url: URL) { text = url.absoluteString }

    /// The URL; `nil` if the text is none.
    public var url: URL? { URL(string: text) }
}

extension WebAddress: ExpressibleByStringLiteral, LosslessStringConvertible {
    /// The address with that text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text.
    public var description: String { text }
}

extension WebAddress: WireScalar {
    package init(native: String) { text = native }
    package init?(substitute: WireSubstitute) { return nil }
    package var native: String { text }
    package static var expectation: String { "URL" }
}

extension WebAddress: Codable, JSONReadable {
    /// Reads a text.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
