internal import HeliumServerKit

/// A path below the API's root, taken apart: what it names, and the format that its end asks for (§2.2).
struct ResourcePath: Hashable, Sendable {
    let segments: [String]
    let format: DocumentFormat?

    /// Reads an encoded path, with or without slashes around it; nil where an escape is malformed.
    ///
    /// Of the last segment one known suffix is taken off, and no more: ids and stamps may hold dots.
    init?(_ path: Substring) {
        var parts = path.split(separator: "/")
        var format: DocumentFormat?
        // By bytes: finding the last character of a text costs more than its length.
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
