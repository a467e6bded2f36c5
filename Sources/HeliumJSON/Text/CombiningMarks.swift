/// Runs of combining marks, which make comparing and hashing strings slow: see ``ByteText``.
enum CombiningMarks {
    /// The minimum number of bytes of a mark in UTF-8. An escaped mark takes six.
    static let shortest = 2

    /// The longest run for which a text is compared as a `String`.
    static let limit = 256

    /// Returns whether a text has more than `limit` combining marks in a row.
    ///
    /// Marks are the scalars that normalization sorts, whose canonical combining class is not 0.
    static func areMore(than limit: Int, in text: String) -> Bool {
        var count = 0
        for scalar in text.unicodeScalars {
            // There are no marks below U+0300.
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
    /// take more than linear time.
    ///
    /// Use it if a string must be compared as a `String`, for example by `init(rawValue:)` of a type from outside of
    /// the package.
    package var isSlowToCompare: Bool {
        // A short text can't have a long run.
        utf8.count > CombiningMarks.shortest * CombiningMarks.limit
            && CombiningMarks.areMore(than: CombiningMarks.limit, in: self)
    }
}
