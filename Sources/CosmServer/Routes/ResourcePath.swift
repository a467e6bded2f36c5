internal import HeliumJSON
internal import HeliumServerKit

/// The segments of a path below the API's root, and the format that its suffix selects (Docs/Protocols/Cosm.md §2.2).
struct ResourcePath: Hashable, Sendable {
    let segments: [String]
    let format: DocumentFormat?

    /// Parses an encoded path, with or without surrounding slashes; `nil` if an escape is malformed.
    ///
    /// Only one known suffix is removed from the last segment, because ids and timestamps can contain dots.
    init?(_ path: Substring) {
        var parts = path.split(atByte: "/")
        var format: DocumentFormat?
        // It searches bytes: finding the last character of a text can take more than linear time.
        if let last = parts.last, let dot = last.utf8.lastIndex(of: UInt8(ascii: ".")), dot != last.startIndex,
            let found = DocumentFormat(suffix: last[last.utf8.index(after: dot)...])
        {
            format = found
            parts[parts.count - 1] = last[..<dot]
        }
        guard let segments = PercentEncoding.decoded(segments: parts) else { return nil }
        self.segments = segments
        self.format = format
    }
}
