public import HeliumJSON

/// A time as a document has it: an instant, or else the text that stood in its place (§10).
///
/// Captured triggers were notified at `a date time string`, and a key expires at `12345`: reading them fails no document.
public struct RecordedTime: Hashable, Sendable {
    /// The instant; `nil` if the text names none.
    public let timestamp: Timestamp?

    /// The text: of an instant the service's own form.
    public let text: String

    /// An instant.
    public init(_ timestamp: Timestamp) {
        self.timestamp = timestamp
        text = timestamp.description
    }

    /// What a text says.
    public init(_ text: String) {
        let timestamp = Timestamp(text)
        self.timestamp = timestamp
        self.text = timestamp?.description ?? text
    }
}

extension RecordedTime: LosslessStringConvertible {
    /// The text.
    public var description: String { text }
}

extension RecordedTime: Codable, JSONReadable, WireText {
    static var expectation: String { "time" }

    init?(wireText text: String) {
        guard !text.isSlowToCompare else { return nil }
        self.init(text)
    }

    var wireText: String { text }

    /// Reads a text or a number.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text or a number.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
