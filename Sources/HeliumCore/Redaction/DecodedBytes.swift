/// Bytes in which escapes are decoded, with the place of each byte in the original.
///
/// Letters of ASCII are in lower case, because secrets are found without regard to case.
struct DecodedBytes {
    private(set) var bytes: [UInt8] = []
    /// The index in the original of each byte, and the length of the original; `nil` if nothing was decoded.
    private var starts: [Int]?

    /// Creates a copy of `bytes` in which nothing is decoded.
    init(_ bytes: [UInt8]) { self.bytes = bytes.map(DecodedBytes.lowercased) }

    private init(capacity: Int) {
        bytes.reserveCapacity(capacity)
        var starts: [Int] = []
        starts.reserveCapacity(capacity + 1)
        self.starts = starts
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }

    /// Returns the index in the original of the byte at `index`, which may be the end.
    func source(of index: Int) -> Int { starts.map { $0[index] } ?? index }

    private mutating func append(_ byte: UInt8, at source: Int) {
        bytes.append(DecodedBytes.lowercased(byte))
        starts?.append(source)
    }
}

extension DecodedBytes {
    /// Returns every form in which an escape can be decoded: as they are, with escapes of JSON, with percent-encoding,
    /// and each combination of two. A form in which nothing is decoded is left out.
    static func forms(of bytes: [UInt8]) -> [DecodedBytes] {
        let plain = DecodedBytes(bytes)
        let once = [plain.jsonUnescaped, plain.percentDecoded].compactMap(\.self)
        return [plain] + once + once.flatMap { [$0.jsonUnescaped, $0.percentDecoded].compactMap(\.self) }
    }

    /// The bytes with percent-encoded bytes decoded; `nil` if there are none.
    private var percentDecoded: DecodedBytes? {
        decoded(introducedBy: UInt8(ascii: "%")) { index in
            guard index + 2 < bytes.count, let high = DecodedBytes.digit(bytes[index + 1]),
                let low = DecodedBytes.digit(bytes[index + 2])
            else { return nil }
            return ([high << 4 | low], 3)
        }
    }

    /// The bytes with the escapes of JSON strings decoded; `nil` if there are none.
    private var jsonUnescaped: DecodedBytes? {
        decoded(introducedBy: UInt8(ascii: "\\")) { index in
            guard index + 1 < bytes.count else { return nil }
            switch bytes[index + 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return ([bytes[index + 1]], 2)
            case UInt8(ascii: "n"): return ([0x0A], 2)
            case UInt8(ascii: "t"): return ([0x09], 2)
            case UInt8(ascii: "r"): return ([0x0D], 2)
            case UInt8(ascii: "u"): return scalar(at: index)
            default: return nil
            }
        }
    }

    /// Returns the scalar of `\uXXXX`, or of two of them that form a surrogate pair, in UTF-8.
    private func scalar(at index: Int) -> (bytes: [UInt8], length: Int)? {
        guard let first = unit(at: index) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (Array(String(Character(scalar)).utf8), 6) }
        guard 0xD800..<0xDC00 ~= first, let second = unit(at: index + 6), 0xDC00..<0xE000 ~= second,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { return nil }
        return (Array(String(Character(scalar)).utf8), 12)
    }

    private func unit(at index: Int) -> UInt16? {
        guard index + 5 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var value: UInt16 = 0
        for byte in bytes[index + 2..<index + 6] {
            guard let digit = DecodedBytes.digit(byte) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private func decoded(
        introducedBy mark: UInt8,
        _ decode: (Int) -> (bytes: [UInt8], length: Int)?
    ) -> DecodedBytes? {
        guard bytes.contains(mark) else { return nil }
        var result = DecodedBytes(capacity: bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == mark, let (decoded, length) = decode(index) {
                for byte in decoded { result.append(byte, at: source(of: index)) }
                index += length
            } else {
                result.append(bytes[index], at: source(of: index))
                index += 1
            }
        }
        result.starts?.append(source(of: bytes.count))
        return result.bytes.count < bytes.count ? result : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48..<58: byte - 48
        case 97..<103: byte - 87
        case 65..<71: byte - 55
        default: nil
        }
    }
}
