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

        /// The name and the version, so that an adapter of the app and a built-in one with equal versions differ.
        let identity: String

        /// Creates an adapter.
        ///
        /// - Parameters:
        ///   - version: A number to change whenever the results of the function change.
        ///   - date: Returns the display date of a message; `nil` for its creation date.
        public init(version: Int, date: @escaping @Sendable (Message) -> Date?) {
            self.init("app", version: version, date: date)
        }

        private init(_ name: String, version: Int, date: @escaping @Sendable (Message) -> Date?) {
            self.version = version
            self.date = date
            identity = "\(name):\(version)"
        }

        /// An adapter that reads the annotation `net.app.ohai.displaydate`.
        public static let ohaiDisplayDate = Self("ohai", version: 1) { $0.ohaiDisplayDate }
    }
}

extension MessageManagerConfiguration {
    /// The version of the derivation rules. It is raised when the rules produce other results.
    private static let rules = 1

    /// A text that changes when the same messages produce other derived rows.
    var fingerprint: String {
        [
            "rules=\(Self.rules)", "locations=\(isLocationLookupEnabled)", "hashtags=\(isHashtagExtractionEnabled)",
            "adapter=\(dateAdapter?.identity ?? "none")",
            "annotations=\(annotationTypes.map(Self.escaped).sorted().joined(separator: ","))",
        ].joined(separator: ";")
    }

    /// Returns an annotation type without separators and non-ASCII characters, so that two sets of types never have one
    /// text. Usual types are unchanged.
    private static func escaped(_ type: String) -> String {
        type.utf8.reduce(into: "") { text, byte in
            let isPlain =
                0x21..<0x7F ~= byte && ![UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "%")].contains(byte)
            text += isPlain ? String(UnicodeScalar(byte)) : "%\(byte)."
        }
    }

    /// Returns the display date of a message.
    func displayDate(of message: Message, createdAt: Date) -> Date { dateAdapter?.date(message) ?? createdAt }
}
