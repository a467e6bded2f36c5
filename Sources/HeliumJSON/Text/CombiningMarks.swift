/// Runs of combining marks, which make comparing and hashing strings slow: see ``ByteText``.
enum CombiningMarks {
    /// The fewest bytes that a mark takes in UTF-8. An escaped mark takes six.
    static let shortest = 2

    /// The longest run that is compared as it is.
    static let limit = 256

    /// Whether a text has more than that many combining marks in a row.
    ///
    /// Marks are the scalars that normalization sorts: those whose canonical combining class is not 0.
    static func areMore(than limit: Int, in text: String) -> Bool {
        var count = 0
        for scalar in text.unicodeScalars {
            // There are none below U+0300.
            if scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered {
                count += 1
                if count > limit { return true }
            } else {
                count = 0
            }
        }
        return false
    }
}

extension String {
    /// Whether the text has more than 256 combining marks in a row, so that comparing or hashing it as a `String` would
    /// take much longer than its length.
    ///
    /// Use it where a string must be compared as one, as by `init(rawValue:)` of a type that the package does not know.
    package var isSlowToCompare: Bool {
        // A short text has no long run.
        utf8.count > CombiningMarks.shortest * CombiningMarks.limit
            && CombiningMarks.areMore(than: CombiningMarks.limit, in: self)
    }
}
