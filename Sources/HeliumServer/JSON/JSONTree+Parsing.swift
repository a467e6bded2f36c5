internal import HeliumJSON

extension JSONTree {
    /// The deepest nesting that is parsed: parsing recurses, and a peer must not choose how far.
    static let maximumDepth = 128

    /// Parses a document, strictly by the grammar of RFC 8259; Foundation's decoder takes `[1,]` for JSON, which the
    /// reference refuses. Of members with one name the last counts.
    ///
    /// - Returns: `nil` if `text` is not JSON, is nested deeper than ``maximumDepth``, or has a string or a name with more
    ///   than ``MarkRun/maximum`` combining marks in a row.
    static func parse(_ text: String) -> JSONTree? {
        var text = text
        return text.withUTF8 { bytes in
            var parser = Parser(bytes: bytes)
            return parser.document()
        }
    }

    /// Every method gives nil where the grammar ends.
    private struct Parser {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func document() -> JSONTree? {
            guard let value = value(depth: 0) else { return nil }
            skipSpace()
            return position == bytes.count ? value : nil
        }

        private mutating func skipSpace() {
            while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        private mutating func value(depth: Int) -> JSONTree? {
            skipSpace()
            switch next {
            case UInt8(ascii: "{"): return object(depth: depth + 1)
            case UInt8(ascii: "["): return array(depth: depth + 1)
            case UInt8(ascii: "\""): return string().map(JSONTree.string)
            case UInt8(ascii: "t"): return word("true", .bool(true))
            case UInt8(ascii: "f"): return word("false", .bool(false))
            case UInt8(ascii: "n"): return word("null", .null)
            default: return number()
            }
        }

        private mutating func word(_ word: StaticString, _ value: JSONTree) -> JSONTree? {
            let end = position + word.utf8CodeUnitCount
            guard end <= bytes.count,
                bytes[position..<end].elementsEqual(
                    UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
                )
            else { return nil }
            position = end
            return value
        }

        private mutating func array(depth: Int) -> JSONTree? {
            guard depth <= JSONTree.maximumDepth, take("[") else { return nil }
            var elements: [JSONTree] = []
            skipSpace()
            if take("]") { return .array(elements) }
            repeat {
                guard let element = value(depth: depth) else { return nil }
                elements.append(element)
                skipSpace()
            } while take(",")
            return take("]") ? .array(elements) : nil
        }

        private mutating func object(depth: Int) -> JSONTree? {
            guard depth <= JSONTree.maximumDepth, take("{") else { return nil }
            var members: [JSONMember] = []
            var positions: [ByteText: Int] = [:]
            skipSpace()
            if take("}") { return .object(members) }
            repeat {
                skipSpace()
                guard let name = string() else { return nil }
                skipSpace()
                guard take(":"), let value = value(depth: depth) else { return nil }
                if let earlier = positions[name] {
                    members[earlier] = JSONMember(name, value)
                } else {
                    positions[name] = members.count
                    members.append(JSONMember(name, value))
                }
                skipSpace()
            } while take(",")
            return take("}") ? .object(members) : nil
        }

        private mutating func string() -> String? {
            guard take("\"") else { return nil }
            var content: [UInt8] = []
            while let byte = next {
                position += 1
                switch byte {
                case UInt8(ascii: "\""):
                    let text = String(decoding: content, as: UTF8.self)
                    return text.holdsLongMarkRun ? nil : text
                case UInt8(ascii: "\\"):
                    guard let scalar = escape() else { return nil }
                    content.append(contentsOf: Array(String(scalar).utf8))
                case ..<0x20: return nil
                default: content.append(byte)
                }
            }
            return nil
        }

        /// What follows a backslash. Half of a surrogate pair becomes U+FFFD, since no Swift string can hold it.
        private mutating func escape() -> Unicode.Scalar? {
            guard let byte = next else { return nil }
            position += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "f"): return "\u{C}"
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "u"):
                guard let first = codeUnit() else { return nil }
                guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
                let afterFirst = position
                if take("\\"), take("u"), let second = codeUnit(), (0xDC00..<0xE000).contains(second) {
                    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
                }
                position = afterFirst
                return "\u{FFFD}"
            default: return nil
            }
        }

        private mutating func codeUnit() -> UInt32? {
            guard position + 4 <= bytes.count else { return nil }
            var unit: UInt32 = 0
            for byte in bytes[position..<(position + 4)] {
                guard byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
                unit = unit << 4 | UInt32(digit)
            }
            position += 4
            return unit
        }

        private mutating func number() -> JSONTree? {
            let start = position
            _ = take("-")
            if !take("0") {
                guard digits() > 0 else { return nil }
            }
            var isWhole = true
            if take(".") {
                isWhole = false
                guard digits() > 0 else { return nil }
            }
            if take("e") || take("E") {
                isWhole = false
                if !take("+") { _ = take("-") }
                guard digits() > 0 else { return nil }
            }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            if isWhole, let number = Int64(text) { return .integer(number) }
            return Double(text).map(JSONTree.number)
        }

        private mutating func digits() -> Int {
            let start = position
            while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
            return position - start
        }
    }
}
