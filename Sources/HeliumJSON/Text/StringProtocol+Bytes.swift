extension StringProtocol {
    /// Whether two texts are the same UTF-8 bytes.
    ///
    /// `==` compares by canonical equivalence: slower for equal texts, and for texts of combining marks in time that grows
    /// with the square of their length. See ``ByteText``.
    @inlinable
    package func hasSameBytes(as other: some StringProtocol) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame: Bool?? = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { other in
                bytes.baseAddress.map { Bytes.areEqual($0, other) } ?? true
            }
        }
        // Strings that aren't Swift's own may have no storage to look at.
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether the text begins with the UTF-8 bytes of another.
    ///
    /// `hasPrefix` looks for `Character`s: a mark that follows the prefix hides it.
    @inlinable
    package func hasBytePrefix(_ prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Whether the text ends with the UTF-8 bytes of another.
    @inlinable
    package func hasByteSuffix(_ suffix: some StringProtocol) -> Bool {
        let (count, suffix) = (utf8.count, suffix.utf8)
        guard count >= suffix.count else { return false }
        return utf8.dropFirst(count - suffix.count).elementsEqual(suffix)
    }

    /// Whether the text has the UTF-8 bytes of another somewhere. An empty text is in every text.
    ///
    /// It takes time that grows with the length of the text times the length of `part`: `part` is a literal or short.
    @inlinable
    package func containsBytes(of part: some StringProtocol) -> Bool {
        let part = part.utf8
        guard let first = part.first else { return true }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: part) { return true }
            rest.removeFirst()
        }
        return false
    }

    /// The text with each occurrence of `part`, found by its bytes, replaced. `part` is a literal or short.
    package func replacingBytes(of part: String, with replacement: String) -> String {
        var (result, rest) = ("", utf8[...])
        let part = part.utf8
        guard let first = part.first else { return String(self) }
        var start = rest.startIndex
        while let found = rest[start...].firstIndex(of: first) {
            guard rest[found...].starts(with: part) else {
                start = rest.index(after: found)
                continue
            }
            result += String(decoding: rest[..<found], as: UTF8.self) + replacement
            rest = rest[rest.index(found, offsetBy: part.count)...]
            start = rest.startIndex
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    /// Whether the text's UTF-8 bytes come before those of another. This is the order of the code points too.
    @inlinable
    package func bytesPrecede(_ other: some StringProtocol) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    /// The beginning of the text with `…` behind it, or all of a text that has no more than `count` Unicode scalars.
    ///
    /// One `Character` may be as long as the whole text: `prefix` bounds nothing.
    package func excerpt(_ count: Int) -> String {
        guard let end = unicodeScalars.index(startIndex, offsetBy: count, limitedBy: endIndex), end < endIndex else {
            return String(self)
        }
        return prefix(scalars: count) + "…"
    }

    /// The first `count` Unicode scalars: `prefix` without the characters that are as long as the whole text.
    package func prefix(scalars count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }

    /// Whether all characters are ASCII.
    @inlinable
    package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension String {
    /// Hashes the UTF-8 bytes. `hash(into:)` normalizes the text first.
    @inlinable @inline(__always)
    package func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No UTF-8 has it: where a text ends is hashed too.
        hasher.combine(0xFF as UInt8)
    }
}

extension RawRepresentable where RawValue == String {
    /// The value with that raw value, compared by bytes. All raw values of the type must be ASCII.
    ///
    /// Use it for text of a peer: `init(rawValue:)` of an enumeration compares by canonical equivalence, see ``ByteText``.
    @inlinable
    package init?(asciiValue text: some StringProtocol) {
        guard text.isASCII else { return nil }
        self.init(rawValue: String(text))
    }
}
