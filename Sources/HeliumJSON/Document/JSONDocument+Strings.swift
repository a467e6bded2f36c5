extension JSONDocument {
    /// Returns a string's value. Its text was validated by the parser.
    @inlinable @inline(__always)
    func string(_ word: TapeWord) -> String {
        if word.kind == .escapedString { return unescaped(word) }
        return word.length <= 15 ? Self.shortString(text(word)) : String(decoding: text(word), as: UTF8.self)
    }

    /// Returns a text of at most 15 bytes. Up to this length a string stores its text inline, and this initializer, which
    /// also repairs invalid text, needs half of the instructions of `init(decoding:as:)`.
    @usableFromInline
    @inline(never)
    static func shortString(_ text: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: text.count) { out in
            guard let source = text.baseAddress, let target = out.baseAddress else { return 0 }
            Bytes.copyFew(text.count, from: source, to: target)
            return text.count
        }
    }

    @usableFromInline
    @inline(never)
    func unescaped(_ word: TapeWord) -> String {
        Unescaper.string(of: text(word))
    }

    /// Returns whether a string has this value.
    @inlinable @inline(__always)
    func isEqual(_ word: TapeWord, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        if word.isPlainString(ofLength: other.count) { return Bytes.areEqual(base + word.offset, other) }
        return word.isEscapedString && isEqualUnescaped(word, other)
    }

    @usableFromInline
    @inline(never)
    func isEqualUnescaped(_ word: TapeWord, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        word.length > other.count && unescaped(word).utf8.elementsEqual(other)
    }
}

@usableFromInline
enum Bytes {
    /// Returns whether the bytes at `left` equal `other`. Names are short, so it avoids a function call.
    @inlinable @inline(__always)
    static func areEqual(_ left: UnsafePointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = other.count
        guard let right = other.baseAddress else { return true }
        if count >= 8 {
            var index = 0
            while index &+ 8 < count {
                if load8(left + index) != load8(right + index) { return false }
                index &+= 8
            }
            // The last eight bytes, which may overlap the previous ones.
            return load8(left + (count &- 8)) == load8(right + (count &- 8))
        }
        if count >= 4 {
            return load4(left) == load4(right) && load4(left + (count &- 4)) == load4(right + (count &- 4))
        }
        for index in 0..<count where left[index] != right[index] { return false }
        return true
    }

    /// Returns whether no byte is above 0x7F.
    @inline(__always)
    static func areASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var seen: UInt64 = 0
        var index = 0
        while index &+ 8 <= bytes.count {
            seen |= load8(base + index)
            index &+= 8
        }
        while index < bytes.count {
            seen |= UInt64(base[index])
            index &+= 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Copies at most 16 bytes. Reads and writes nothing beyond them: the last bytes of 8 or 4 may overlap the first.
    @inline(__always)
    static func copyFew(_ count: Int, from source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
        let raw = UnsafeMutableRawPointer(target)
        if count >= 8 {
            let (first, last) = (load8(source), load8(source + (count &- 8)))
            raw.storeBytes(of: first, as: UInt64.self)
            raw.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            let (first, last) = (load4(source), load4(source + (count &- 4)))
            raw.storeBytes(of: first, as: UInt32.self)
            raw.storeBytes(of: last, toByteOffset: count &- 4, as: UInt32.self)
        } else {
            for index in 0..<count { target[index] = source[index] }
        }
    }

    @inlinable @inline(__always)
    static func load8(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
    }

    @inlinable @inline(__always)
    static func load4(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
        UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self)
    }
}

/// Decodes the escapes of a string whose text was validated.
enum Unescaper {
    /// The most bytes that are decoded on the stack.
    private static let stackBytes = 1024

    /// Returns the value of `text`.
    static func string(of text: UnsafeBufferPointer<UInt8>) -> String {
        if text.count <= stackBytes, #available(macOS 26, *) { return copiedString(of: text) }
        return String(unsafeUninitializedCapacity: text.count) { out in
            guard let start = out.baseAddress else { return 0 }
            return write(text, to: start)
        }
    }

    /// Returns the value of a text of at most `stackBytes` bytes.
    ///
    /// The initializer of `String` that passes its memory to a closure validates what was written there, which takes
    /// longer than another copy unless all is ASCII. The parser has validated the text, so its value is valid too.
    @available(macOS 26, *)
    private static func copiedString(of text: UnsafeBufferPointer<UInt8>) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { out in
            guard let start = out.baseAddress else { return "" }
            let value = UnsafeBufferPointer(start: start, count: write(text, to: start))
            return String(copying: UTF8Span(unchecked: value.span, isKnownASCII: Bytes.areASCII(value)))
        }
    }

    /// Writes the value of `text`, which is never longer than the text, and returns its length.
    static func write(_ text: UnsafeBufferPointer<UInt8>, to out: UnsafeMutablePointer<UInt8>) -> Int {
        guard let base = text.baseAddress else { return 0 }
        var (source, target) = (0, 0)
        while source < text.count {
            // Copies eight bytes at a time up to the next backslash. The output never overtakes the input, so there is
            // room.
            while source &+ 8 <= text.count {
                let word = UInt64(littleEndian: UnsafeRawPointer(base + source).loadUnaligned(as: UInt64.self))
                UnsafeMutableRawPointer(out + target).storeBytes(of: word.littleEndian, as: UInt64.self)
                let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
                let found = (backslash &- 0x0101_0101_0101_0101) & ~backslash & 0x8080_8080_8080_8080
                let plain = found == 0 ? 8 : found.trailingZeroBitCount &>> 3
                source &+= plain
                target &+= plain
                if plain < 8 { break }
            }
            guard source < text.count else { break }
            let byte = text[source]
            guard byte == 0x5C else {
                out[target] = byte
                source &+= 1
                target &+= 1
                continue
            }
            let escape = text[source &+ 1]
            guard escape == 0x75 else {
                out[target] = value(of: escape)
                source &+= 2
                target &+= 1
                continue
            }
            var scalar = unit(text, at: source &+ 2)
            source &+= 6
            if scalar & 0xFC00 == 0xD800 {
                scalar = 0x10000 &+ (scalar & 0x3FF) &<< 10 &+ (unit(text, at: source &+ 2) & 0x3FF)
                source &+= 6
            }
            target &+= encode(scalar, to: out + target)
        }
        return target
    }

    private static func value(of escape: UInt8) -> UInt8 {
        switch escape {
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: escape
        }
    }

    private static func unit(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt32 {
        (start..<(start &+ 4)).reduce(0) { $0 &<< 4 | (ByteScanner.digit(text[$1]) ?? 0) }
    }

    /// Writes the UTF-8 of a scalar and returns its length.
    @inline(__always)
    private static func encode(_ scalar: UInt32, to out: UnsafeMutablePointer<UInt8>) -> Int {
        @inline(__always)
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (scalar &>> shift & 0x3F)) }

        switch scalar {
        case ..<0x80:
            out[0] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case ..<0x800:
            out[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar &>> 6)
            out[1] = continuation(0)
            return 2
        case ..<0x10000:
            out[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar &>> 12)
            out[1] = continuation(6)
            out[2] = continuation(0)
            return 3
        default:
            out[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar &>> 18)
            out[1] = continuation(12)
            out[2] = continuation(6)
            out[3] = continuation(0)
            return 4
        }
    }
}
