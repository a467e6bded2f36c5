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

    /// Whether the text's UTF-8 bytes come before those of another. This is the order of the code points too.
    @inlinable
    package func bytesPrecede(_ other: some StringProtocol) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

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
