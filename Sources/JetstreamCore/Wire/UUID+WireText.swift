package import Foundation
internal import HeliumJSON

extension UUID {
    /// The canonical text in lower case, as written by Jetstream (Docs/Protocols/Jetstream.md §2.1).
    package var wireText: String {
        String(unsafeUninitializedCapacity: 36) { text in
            write(to: text)
            return 36
        }
    }

    /// Calls `body` with the bytes of ``wireText``.
    func withWireBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
            write(to: text)
            return body(UnsafeBufferPointer(text))
        }
    }

    private func write(to text: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        let out = UnsafeMutableRawPointer(start)
        let (first, last) = (UInt64(littleEndian: words.0), UInt64(littleEndian: words.1))
        // Eight digits at a time. Their groups have 8, 4, 4, 4 and 12 digits.
        let digits = HexadecimalDigits.self
        let (second, third) = (digits.text(of: first &>> 32), digits.text(of: last))
        out.storeBytes(of: digits.text(of: first).littleEndian, as: UInt64.self)
        out.storeBytes(of: UInt32(truncatingIfNeeded: second).littleEndian, toByteOffset: 9, as: UInt32.self)
        out.storeBytes(of: UInt32(truncatingIfNeeded: second &>> 32).littleEndian, toByteOffset: 14, as: UInt32.self)
        out.storeBytes(of: UInt32(truncatingIfNeeded: third).littleEndian, toByteOffset: 19, as: UInt32.self)
        out.storeBytes(of: UInt32(truncatingIfNeeded: third &>> 32).littleEndian, toByteOffset: 24, as: UInt32.self)
        out.storeBytes(of: digits.text(of: last &>> 32).littleEndian, toByteOffset: 28, as: UInt64.self)
        (start[8], start[13], start[18], start[23]) = (0x2D, 0x2D, 0x2D, 0x2D)
    }

    /// Reads an identifier from canonical text of 36 bytes in either case; `nil` for any other text.
    package init?(wireText text: String) {
        var text = text
        guard let uuid = text.withUTF8(Self.init(wireBytes:)) else { return nil }
        self = uuid
    }

    /// Reads an identifier from canonical text in a document.
    init?(json: borrowing JSONReader) {
        guard json.kind == .string else { return nil }
        if let plain = json.withPlainText(Self.init(wireBytes:)) {
            guard let uuid = plain else { return nil }
            self = uuid
        } else if let text = try? json.read(String.self), let uuid = Self(wireText: text) {
            self = uuid
        } else {
            return nil
        }
    }

    private init?(wireBytes text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 36, let start = text.baseAddress, start[8] == 0x2D, start[13] == 0x2D, start[18] == 0x2D,
            start[23] == 0x2D
        else { return nil }
        func half(_ position: Int) -> UInt64 {
            UInt64(UInt32(littleEndian: UnsafeRawPointer(start + position).loadUnaligned(as: UInt32.self)))
        }
        func whole(_ position: Int) -> UInt64 {
            UInt64(littleEndian: UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self))
        }
        let digits = HexadecimalDigits.self
        guard let first = digits.value(of: whole(0)), let second = digits.value(of: half(9) | half(14) &<< 32),
            let third = digits.value(of: half(19) | half(24) &<< 32), let last = digits.value(of: whole(28))
        else { return nil }
        let words = ((first | second &<< 32).littleEndian, (third | last &<< 32).littleEndian)
        self.init(uuid: unsafeBitCast(words, to: uuid_t.self))
    }
}

/// Converts eight hexadecimal digits at a time. In each word, the byte that comes first is the lowest one.
private enum HexadecimalDigits {
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Returns the digits of the four lowest bytes in lower case.
    @inline(__always)
    static func text(of bytes: UInt64) -> UInt64 {
        var spread = bytes & 0xFFFF_FFFF
        spread = (spread | spread &<< 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread &<< 8) & 0x00FF_00FF_00FF_00FF
        let digits = (spread &>> 4 | spread &<< 8) & (ones &* 0x0F)
        // 1 in each byte whose digit is a letter.
        let letters = (digits &+ ones &* 6) &>> 4 & ones
        return digits &+ ones &* 0x30 &+ letters &* 39
    }

    /// Returns the four bytes that eight digits of either case denote; `nil` if one of them is not a digit.
    @inline(__always)
    static func value(of text: UInt64) -> UInt64? {
        let lowercase = text | ones &* 0x20
        // The highest bit of each byte that is a decimal digit, and of each that is a letter. Bytes beyond ASCII carry
        // into others, but then the result is `nil` in any case.
        let decimals = (text &+ ones &* 0x50) & ~(text &+ ones &* 0x46)
        let letters = (lowercase &+ ones &* 0x1F) & ~(lowercase &+ ones &* 0x19)
        let highest = ones &* 0x80
        guard (decimals | letters) & ~text & highest == highest else { return nil }
        let digits = text & (ones &* 0x0F) &+ (text &>> 6 & ones) &* 9
        var packed = (digits &<< 4 | digits &>> 8) & 0x00FF_00FF_00FF_00FF
        packed = (packed | packed &>> 8) & 0x0000_FFFF_0000_FFFF
        packed = (packed | packed &>> 16) & 0xFFFF_FFFF
        return packed
    }
}
