public import AppNet
public import Foundation
internal import HeliumJSON

/// The settings that decide what is derived from messages.
///
/// ```swift
/// var configuration = MessageManagerConfiguration()
/// configuration.isHashtagExtractionEnabled = true
/// configuration.annotationTypes = ["net.app.core.oembed"]
/// configuration.dateAdapter = .ohaiDisplayDate
/// ```
///
/// After a change, the engine derives all rows again from the stored messages.
public struct MessageManagerConfiguration: Sendable {
    /// Whether a display location is derived from each message and indexed. Default: `false`.
    public var isLocationLookupEnabled = false

    /// Whether hashtags are indexed. Default: `false`.
    public var isHashtagExtractionEnabled = false

    /// The types of annotations that are indexed. Default: empty.
    public var annotationTypes: Set<String> = [] {
        didSet { indexedTypes = Set(annotationTypes.map { ByteText($0) }) }
    }

    /// ``annotationTypes``, compared by bytes, because annotation types come from other clients.
    private(set) var indexedTypes: Set<ByteText> = []

    /// The function that computes the display date of a message. Default: `nil`, which uses the creation date.
    public var dateAdapter: DateAdapter?

    /// Creates the default settings.
    public init() {}

    /// A function from messages to display dates, with a version.
    public struct DateAdapter: Sendable {
        /// The version. If the number changes, the engine computes the stored dates again.
        public let version: Int

        let date: @Sendable (Message) -> Date?

        /// Creates an adapter.
        ///
        /// - Parameters:
        ///   - version: A number to change whenever the results of the function change.
        ///   - date: Returns the display date of a message; `nil` for its creation date.
        public init(version: Int, date: @escaping @Sendable (Message) -> Date?) {
            self.version = version
            self.date = date
        }

        /// An adapter that reads the annotation `net.app.ohai.displaydate`.
        public static let ohaiDisplayDate = Self(version: 1) { $0.ohaiDisplayDate }
    }
}

extension MessageManagerConfiguration {
    /// The version of the derivation rules. It is raised when the rules produce other results.
    private static let rules = 1

    /// A text that changes when the same messages produce other derived rows.
    var fingerprint: String {
        [
            "rules=\(Self.rules)", "locations=\(isLocationLookupEnabled)", "hashtags=\(isHashtagExtractionEnabled)",
            "adapter=\(dateAdapter.map { "\($0.version)" } ?? "none")",
            "annotations=\(annotationTypes.sorted().joined(separator: ","))",
        ].joined(separator: ";")
    }

    /// Returns the display date of a message.
    func displayDate(of message: Message, createdAt: Date) -> Date { dateAdapter?.date(message) ?? createdAt }
}
