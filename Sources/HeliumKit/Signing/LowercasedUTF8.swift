/// Unicode default lower-casing of UTF-8 text without locale, like the middleware's `lower`
/// (Docs/Protocols/Middleware.md §1.4): full mappings (U+0130 becomes two scalars), the final-sigma rule, no
/// normalization, U+FFFD for each ill-formed sequence.
///
/// It reads the bytes once and passes on lower-cased chunks, so its memory does not grow with the text. ASCII is
/// processed eight bytes at a time, and other text scalar by scalar.
enum LowercasedUTF8 {
    /// The maximum size of a chunk. It is flushed when fewer than 16 bytes are free, because the longest mapping of one
    /// scalar is shorter.
    static let chunkCapacity = 4096

    /// Calls `emit` with the chunks of the lower-cased text of `source`. It is not called for empty text.
    static func forEachChunk(of source: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: chunkCapacity, alignment: 8) { chunk in
            var filled = 0
            var position = 0
            while position < source.count {
                if chunkCapacity - filled < 16 {
                    emit(UnsafeRawBufferPointer(rebasing: chunk[..<filled]))
                    filled = 0
                }
                let run = copyASCII(from: source, at: position, to: chunk, at: filled)
                filled += run
                position += run
                guard position < source.count, source[position] >= 0x80, chunkCapacity - filled >= 16 else { continue }
                let (scalar, length) = decode(source, at: position)
                filled += write(lowercase(scalar, in: source, at: position, length: length), to: chunk, at: filled)
                position += length
            }
            if filled > 0 { emit(UnsafeRawBufferPointer(rebasing: chunk[..<filled])) }
        }
    }

    /// Lower-cases `text` in place if it is all ASCII. Otherwise it leaves the text partly changed and returns `false`.
    ///
    /// A slower pass may follow, because lower-casing the changed ASCII letters again does not change them.
    static func lowercaseASCII(_ text: UnsafeMutableRawBufferPointer) -> Bool {
        copyASCII(from: UnsafeRawBufferPointer(text), at: 0, to: text, at: 0) == text.count
    }

    /// Copies ASCII, lower-cased, until a byte that is not ASCII or the end of a buffer. Returns the number of bytes.
    ///
    /// Source and target may be the same memory at the same position.
    @inline(__always)
    private static func copyASCII(
        from source: UnsafeRawBufferPointer,
        at start: Int,
        to target: UnsafeMutableRawBufferPointer,
        at targetStart: Int
    ) -> Int {
        let count = min(source.count - start, target.count - targetStart)
        var done = 0
        while count - done >= 8 {
            let word = source.loadUnaligned(fromByteOffset: start + done, as: UInt64.self)
            guard word & 0x8080_8080_8080_8080 == 0 else { break }
            // Adding sets a byte's top bit for 'A' (0x41) and above, and for bytes after 'Z' (0x5b and above). No carry
            // occurs, because all bytes are ASCII.
            let fromA = word &+ 0x3f3f_3f3f_3f3f_3f3f
            let pastZ = word &+ 0x2525_2525_2525_2525
            let lowered = word | (((fromA & ~pastZ) & 0x8080_8080_8080_8080) >> 2)
            target.storeBytes(of: lowered, toByteOffset: targetStart + done, as: UInt64.self)
            done += 8
        }
        while done < count {
            let byte = source[start + done]
            guard byte < 0x80 else { break }
            target[targetStart + done] = byte &- 0x41 < 26 ? byte | 0x20 : byte
            done += 1
        }
        return done
    }
}

// MARK: - Mapping

extension LowercasedUTF8 {
    /// Returns the lower-case form of the scalar at `position`.
    private static func lowercase(
        _ scalar: Unicode.Scalar,
        in source: UnsafeRawBufferPointer,
        at position: Int,
        length: Int
    ) -> Mapping {
        switch scalar.value {
        case 0x03a3:
            return .scalar(isFinalSigma(in: source, at: position, length: length) ? 0x03c2 : 0x03c3)
        // The common letters of Latin-1 and Cyrillic, and blocks without letter case, need no table.
        case 0x00c0...0x00de where scalar.value != 0x00d7: return .scalar(scalar.value + 0x20)
        case 0x0410...0x042f: return .scalar(scalar.value + 0x20)
        case 0x0080...0x00ff, 0x0430...0x045f, 0x3000...0xa63f, 0xac00...0xd7a3, 0x1f300...0x1faff:
            return .scalar(scalar.value)
        default: return .text(scalar.properties.lowercaseMapping)
        }
    }

    private enum Mapping {
        case scalar(UInt32)
        case text(String)
    }

    private static func write(_ mapping: Mapping, to chunk: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
        var count = 0
        func put(_ byte: UInt32) {
            chunk[start + count] = UInt8(truncatingIfNeeded: byte)
            count += 1
        }
        switch mapping {
        case .text(let text): for byte in text.utf8 { put(UInt32(byte)) }
        case .scalar(let value) where value < 0x800:
            put(0xc0 | value >> 6)
            put(0x80 | value & 0x3f)
        case .scalar(let value) where value < 0x10000:
            put(0xe0 | value >> 12)
            put(0x80 | value >> 6 & 0x3f)
            put(0x80 | value & 0x3f)
        case .scalar(let value):
            put(0xf0 | value >> 18)
            put(0x80 | value >> 12 & 0x3f)
            put(0x80 | value >> 6 & 0x3f)
            put(0x80 | value & 0x3f)
        }
        return count
    }

    /// Returns whether a sigma is final: before it, skipping case-ignorable scalars, is a cased scalar, and after it is
    /// none (Final_Sigma, Unicode Standard, section 3.13, table 3-17).
    ///
    /// Both scans end at the next sigma at the latest, because a sigma is cased. The total time is therefore linear in
    /// the text.
    private static func isFinalSigma(in source: UnsafeRawBufferPointer, at position: Int, length: Int) -> Bool {
        var start = position
        var isPreceded = false
        while start > 0 {
            let (scalar, length) = decode(source, before: start)
            if !scalar.properties.isCaseIgnorable {
                isPreceded = scalar.properties.isCased
                break
            }
            start -= length
        }
        guard isPreceded else { return false }
        var end = position + length
        while end < source.count {
            let (scalar, length) = decode(source, at: end)
            if !scalar.properties.isCaseIgnorable { return !scalar.properties.isCased }
            end += length
        }
        return true
    }
}

// MARK: - Decoding with repair

extension LowercasedUTF8 {
    private static var replacement: Unicode.Scalar { "\u{fffd}" }

    /// Returns the scalar at `position` and its length, with U+FFFD for each maximal part of an ill-formed sequence.
    /// WHATWG's decoder, node and `String(decoding:as:)` do the same (Unicode Standard, section 3.9, "U+FFFD
    /// Substitution of Maximal Subparts").
    private static func decode(_ source: UnsafeRawBufferPointer, at position: Int) -> (Unicode.Scalar, length: Int) {
        let lead = source[position]
        let needed: Int
        // The second byte's range excludes overlong forms, surrogates and values past U+10FFFF (table 3-7).
        var second: ClosedRange<UInt8> = 0x80...0xbf
        switch lead {
        case 0x00...0x7f: return (Unicode.Scalar(lead), 1)
        case 0xc2...0xdf: needed = 1
        case 0xe0: (needed, second) = (2, 0xa0...0xbf)
        case 0xed: (needed, second) = (2, 0x80...0x9f)
        case 0xe1...0xef: needed = 2
        case 0xf0: (needed, second) = (3, 0x90...0xbf)
        case 0xf4: (needed, second) = (3, 0x80...0x8f)
        case 0xf1...0xf3: needed = 3
        default: return (replacement, 1)
        }
        var value = UInt32(lead) & (0x3f >> UInt32(needed))
        for index in 1...needed {
            guard position + index < source.count else { return (replacement, index) }
            let byte = source[position + index]
            guard (index == 1 ? second : 0x80...0xbf).contains(byte) else { return (replacement, index) }
            value = value << 6 | UInt32(byte & 0x3f)
        }
        return (Unicode.Scalar(value) ?? replacement, needed + 1)
    }

    /// Returns the scalar that ends at `end`, by trying the starts from which decoding ends exactly there.
    private static func decode(_ source: UnsafeRawBufferPointer, before end: Int) -> (Unicode.Scalar, length: Int) {
        for length in 1...4 where length <= end {
            let byte = source[end - length]
            if byte & 0xc0 == 0x80 { continue }
            let (scalar, decoded) = decode(source, at: end - length)
            return decoded == length ? (scalar, length) : (replacement, 1)
        }
        return (replacement, 1)
    }
}
