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
/// After a change, the engine derives everything again from the stored messages.
public struct MessageManagerConfiguration: Sendable {
    /// Whether a display location is derived from each message and indexed. Default: `false`.
    public var isLocationLookupEnabled = false

    /// Whether hashtags are indexed. Default: `false`.
    public var isHashtagExtractionEnabled = false

    /// The types of annotations that are indexed. Default: none.
    public var annotationTypes: Set<String> = [] {
        didSet { indexedTypes = Set(annotationTypes.map { ByteText($0) }) }
    }

    /// ``annotationTypes``, compared by bytes: types of annotations come from peers.
    private(set) var indexedTypes: Set<ByteText> = []

    /// The function that gives messages their display dates. Default: none, the date of creation.
    public var dateAdapter: DateAdapter?

    /// The default settings.
    public init() {}

    /// A function from messages to display dates, with a version.
    public struct DateAdapter: Sendable {
        /// The version. A change of the number makes the engine compute the stored dates again.
        public let version: Int

        let date: @Sendable (Message) -> Date?

        /// An adapter.
        ///
        /// - Parameters:
        ///   - version: A number that changes with the results of the function.
        ///   - date: The display date of a message; `nil` for the date of its creation.
        public init(version: Int, date: @escaping @Sendable (Message) -> Date?) {
            self.version = version
            self.date = date
        }

        /// The date of the annotation `net.app.ohai.displaydate`.
        public static let ohaiDisplayDate = Self(version: 1) { $0.ohaiDisplayDate }
    }
}

extension MessageManagerConfiguration {
    /// The version of the derivation's own rules. Raised when they give other results.
    private static let rules = 1

    /// A text that changes when the same messages give other derived rows.
    var fingerprint: String {
        [
            "rules=\(Self.rules)", "locations=\(isLocationLookupEnabled)", "hashtags=\(isHashtagExtractionEnabled)",
            "adapter=\(dateAdapter.map { "\($0.version)" } ?? "none")",
            "annotations=\(annotationTypes.sorted().joined(separator: ","))",
        ].joined(separator: ";")
    }

    /// The display date of a message.
    func displayDate(of message: Message, createdAt: Date) -> Date { dateAdapter?.date(message) ?? createdAt }
}
