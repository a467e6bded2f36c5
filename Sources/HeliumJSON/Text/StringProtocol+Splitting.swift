// These functions compare the bytes of ASCII separators. `split`, `firstIndex`, `prefix(while:)`, `filter` and `for` compare
// `Character`s instead. In a `Substring`, each of their steps looks back through a run of regional indicators to find where a
// flag begins, which takes quadratic time. A separator that a combining mark follows is not found either, although RFC 3986
// and RFC 9110 define separators as bytes.
extension StringProtocol {
    /// Returns the parts of the text between the occurrences of an ASCII character, in linear time.
    ///
    /// - Parameters:
    ///   - separator: An ASCII character.
    ///   - maxSplits: The maximum number of times to split the text. Default: no limit.
    ///   - omittingEmptySubsequences: Whether empty parts are left out. Default: `true`.
    package func split(
        atByte separator: Unicode.Scalar,
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        Substring(self).utf8.split(
            separator: UInt8(ascii: separator),
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        )
        .map { Substring($0) }
    }

    /// Returns the text before the first occurrence of an ASCII character, in linear time; the whole text if there is none.
    package func prefix(beforeByte end: Unicode.Scalar) -> Substring {
        let end = UInt8(ascii: end)
        return Substring(Substring(self).utf8.prefix { $0 != end })
    }

    /// Returns the text without the given ASCII characters, in linear time.
    package func removingBytes(of characters: StaticString) -> String {
        let removed = UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount)
        return String(decoding: utf8.filter { !removed.contains($0) }, as: UTF8.self)
    }
}
