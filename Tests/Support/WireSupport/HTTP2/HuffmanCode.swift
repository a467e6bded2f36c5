/// The Huffman code of HPACK (RFC 7541 Appendix B), for reading.
///
/// The code is canonical: among codes of equal length, a larger symbol has a larger code. So the lengths determine it.
enum HuffmanCode {
    /// The text is padded with something else than the beginning of EOS, or contains EOS.
    struct Invalid: Error {}

    /// The symbol of each code, where the key is the code with a leading 1 bit that keeps its length.
    private static let symbols: [UInt32: Int] = {
        var symbols: [UInt32: Int] = [:]
        var (code, length) = (UInt32(0), 0)
        for symbol in lengths.indices.sorted(by: { (lengths[$0], $0) < (lengths[$1], $1) }) {
            code <<= UInt32(lengths[symbol] - length)
            length = lengths[symbol]
            symbols[code | 1 << UInt32(length)] = symbol
            code += 1
        }
        return symbols
    }()

    static func decode(_ bytes: some Sequence<UInt8>) throws(Invalid) -> [UInt8] {
        var text: [UInt8] = []
        var code: UInt32 = 1
        for byte in bytes {
            for shift in (0..<8).reversed() {
                code = code << 1 | UInt32(byte >> shift & 1)
                if let symbol = symbols[code] {
                    guard let byte = UInt8(exactly: symbol) else { throw Invalid() }
                    text.append(byte)
                    code = 1
                }
                // The longest code has 30 bits.
                if code >> 30 > 1 { throw Invalid() }
            }
        }
        // At most seven bits of padding, all of them 1.
        guard code < 1 << 8, code & (code + 1) == 0 else { throw Invalid() }
        return text
    }

    /// The length of the code of each byte, and of EOS.
    private static let lengths = [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
        28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15,
        6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22,
        20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23,
        23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22,
        22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26,
        27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27,
        26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
    ]
}
