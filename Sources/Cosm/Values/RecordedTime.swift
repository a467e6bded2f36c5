public import HeliumJSON

/// A time in a document: an instant, or a text that does not name an instant (Docs/Protocols/Cosm.md §10).
///
/// Captured documents have a trigger that was notified at `a date time string`, and a key that expires at `12345`. Such
/// texts do not make decoding fail.
public struct RecordedTime: Hashable, Sendable {
    /// The instant; `nil` if the text does not name one.
    public let timestamp: Timestamp?

    /// The text. For an instant it has the form of the service.
    public let text: String

    /// Creates a time from an instant.
    public init(_ timestamp: Timestamp) {
        self.timestamp = timestamp
        text = timestamp.description
    }

    /// Creates a time from a text.
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

extension RecordedTime: Codable, JSONReadable, WireValue {
    static var expectation: String { "a time" }

    init?(wireText text: String) {
        guard !text.isSlowToCompare else { return nil }
        self.init(text)
    }

    var wireText: String { text }
}
