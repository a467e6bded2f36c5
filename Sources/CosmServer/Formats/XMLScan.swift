/// Examines XML before it is parsed.
enum XMLScan {
    /// Returns the largest number of attributes of an element, counted by the equals signs outside of quotation marks.
    /// Comments and character data are skipped.
    static func largestAttributeCount(of bytes: [UInt8]) -> Int {
        var scanner = Scanner(rest: bytes[...])
        return scanner.largestCount()
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func largestCount() -> Int {
            var largest = 0
            while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
                rest = rest[start...]
                if rest.starts(with: "<!--".utf8) {
                    skip(to: "-->")
                } else if rest.starts(with: "<![CDATA[".utf8) {
                    skip(to: "]]>")
                } else {
                    largest = max(largest, attributes())
                }
            }
            return largest
        }

        private mutating func skip(to end: StaticString) {
            let end = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
            while let start = rest.firstIndex(of: end[0]) {
                rest = rest[start...]
                if rest.starts(with: end) { return }
                rest = rest.dropFirst()
            }
            rest = []
        }

        /// Reads over a tag and returns its number of attributes.
        private mutating func attributes() -> Int {
            var count = 0
            var quote: UInt8?
            for (index, byte) in zip(rest.indices, rest) {
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: "=") {
                    count += 1
                } else if byte == UInt8(ascii: ">") {
                    rest = rest[(index + 1)...]
                    return count
                }
            }
            rest = []
            return count
        }
    }
}
