internal import HeliumEssentials

/// JSON text that grows while it is written.
typealias TextBuffer = RawStack<UInt8>

extension TextBuffer {
    /// The size up to which a text is copied into its data. Data that takes ownership needs an object and a closure.
    private static var copied: Int { 4 << 10 }

    /// Returns the text as data and gives up the memory.
    func takeData() -> Data {
        guard count > Self.copied else {
            defer { deallocate() }
            return Data(bytes: base, count: count)
        }
        var text = self
        text.fit()
        return Data(bytesNoCopy: text.base, count: text.count, deallocator: .free)
    }

    /// Returns the text as a string and frees the memory.
    func takeString() -> String {
        defer { deallocate() }
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }
}

extension TextBuffer {
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).update(from: source, count: bytes.count)
        count &+= bytes.count
    }
}

// MARK: Strings

extension TextBuffer {
    /// Appends a string in quotes, escaped as RFC 8259 §7 requires, and with escaped slashes if requested.
    @inline(__always)
    mutating func append(quoting string: String, escapingSlashes: Bool) {
        var string = string
        string.withUTF8 { append(quoting: $0, escapingSlashes: escapingSlashes) }
    }

    mutating func append(quoting string: UnsafeBufferPointer<UInt8>, escapingSlashes: Bool) {
        let length = string.count
        // Words are stored whole before they are examined.
        reserve(length &+ 10)
        base[count] = 0x22
        count &+= 1
        if let source = string.baseAddress {
            let slash: UInt8 = escapingSlashes ? 0x2F : 0x22
            var index = 0
            while true {
                index = copyPlain(source, from: index, length: length, slash: slash)
                if index == length { break }
                appendEscape(source[index])
                index &+= 1
                reserve(length &- index &+ 10)
            }
        }
        base[count] = 0x22
        count &+= 1
    }

    /// Copies up to the next byte that must be escaped and returns its index. There must be room.
    @inline(__always)
    private mutating func copyPlain(_ source: UnsafePointer<UInt8>, from start: Int, length: Int, slash: UInt8) -> Int {
        var (index, target) = (start, base + count)
        defer { count &+= index &- start }
        while index &+ 8 <= length {
            let word = UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self)
            UnsafeMutableRawPointer(target).storeBytes(of: word, as: UInt64.self)
            let special = Self.specialBytes(in: UInt64(littleEndian: word), slash: slash)
            if special != 0 {
                index &+= special.trailingZeroBitCount &>> 3
                return index
            }
            index &+= 8
            target += 8
        }
        while index < length {
            let byte = source[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == slash { return index }
            target.pointee = byte
            index &+= 1
            target += 1
        }
        return index
    }

    /// Returns the high bit of each byte that must be escaped. Only the lowest set bit is reliable, because subtraction
    /// borrows upwards.
    @inline(__always)
    private static func specialBytes(in word: UInt64, slash: UInt8) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let slash = word ^ (ones &* UInt64(slash))
        let found =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((slash &- ones) & ~slash)
            | ((word &- ones &* 0x20) & ~word)
        return found & (ones &* 0x80)
    }

    @inline(never)
    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case 0..<0x20:
            append("\\u00")
            append(0x30 &+ byte &>> 4)
            append(byte & 15 < 10 ? 0x30 &+ byte & 15 : 0x57 &+ byte & 15)
        default:
            append(0x5C)
            append(byte)
        }
    }
}
