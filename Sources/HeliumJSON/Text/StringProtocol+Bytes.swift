extension StringProtocol {
    /// Returns whether two texts have the same UTF-8 bytes.
    ///
    /// `==` compares by canonical equivalence, which is slower for equal texts, and takes quadratic time for texts of
    /// combining marks. See ``ByteText``.
    @inlinable
    package func hasSameBytes(as other: some StringProtocol) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame: Bool?? = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { other in
                bytes.baseAddress.map { Bytes.areEqual($0, other) } ?? true
            }
        }
        // Strings that are not native Swift strings may have no contiguous storage.
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the text begins with the UTF-8 bytes of another.
    ///
    /// `hasPrefix` compares `Character`s, so it returns `false` if a combining mark follows the prefix.
    @inlinable
    package func hasBytePrefix(_ prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Returns whether the text ends with the UTF-8 bytes of another.
    @inlinable
    package func hasByteSuffix(_ suffix: some StringProtocol) -> Bool {
        let (count, suffix) = (utf8.count, suffix.utf8)
        guard count >= suffix.count else { return false }
        return utf8.dropFirst(count - suffix.count).elementsEqual(suffix)
    }

    /// Returns whether the text contains the UTF-8 bytes of another. Every text contains the empty text.
    ///
    /// The time is proportional to the length of the text times the length of `part`, so `part` should be a literal or
    /// short.
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

    /// Returns the text with each occurrence of `part`, compared by its bytes, replaced. `part` should be a literal or
    /// short.
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

    /// Returns whether the text's UTF-8 bytes are ordered before those of another. This is also the order of the code
    /// points.
    @inlinable
    package func bytesPrecede(_ other: some StringProtocol) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    /// Returns the beginning of the text followed by `…`, or the whole text if it has at most `count` Unicode scalars.
    ///
    /// It counts scalars because one `Character` may be as long as the whole text, so that `prefix` would set no limit.
    package func excerpt(_ count: Int) -> String {
        guard let end = unicodeScalars.index(startIndex, offsetBy: count, limitedBy: endIndex), end < endIndex else {
            return String(self)
        }
        return prefix(scalars: count) + "…"
    }

    /// Returns the first `count` Unicode scalars. Unlike `prefix`, it limits the length of the result.
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
        // A byte that does not occur in UTF-8, so that the end of the text is hashed too.
        hasher.combine(0xFF as UInt8)
    }
}

extension RawRepresentable where RawValue == String {
    /// Creates the value with that raw value, compared by bytes. All raw values of the type must be ASCII.
    ///
    /// Use it for text from a peer, because `init(rawValue:)` of an enumeration compares by canonical equivalence: see
    /// ``ByteText``.
    @inlinable
    package init?(asciiValue text: some StringProtocol) {
        guard text.isASCII else { return nil }
        self.init(rawValue: String(text))
    }
}
