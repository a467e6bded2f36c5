import TestSupport

/// Documents by chance, as text.
enum RandomText {
    static func value(_ random: inout SeededRandom, depth: Int) -> String {
        switch random.below(depth > 0 ? 8 : 5) {
        case 0: return random.pick(["true", "false", "null"])
        case 1: return random.pick(["0", "-1", "12345678901234567890", "1.5", "-0.25e-10", "3E+7", "0e0", "6.02e23"])
        case 2, 3: return string(&random)
        case 4: return random.pick(["[]", "{}", "[ ]", "{ }", "\"\""])
        case 5, 6:
            let members = (0..<random.below(5)).map { _ in
                string(&random) + space(&random) + ":" + space(&random) + value(&random, depth: depth - 1)
            }
            return "{" + space(&random) + members.joined(separator: space(&random) + ",") + "}"
        default:
            let elements = (0..<random.below(5)).map { _ in value(&random, depth: depth - 1) + space(&random) }
            return "[" + elements.joined(separator: ",") + "]"
        }
    }

    static func space(_ random: inout SeededRandom) -> String {
        random.pick(["", "", "", " ", "\n", "\r\n\t", "   "])
    }

    private static func string(_ random: inout SeededRandom) -> String {
        let parts = [
            "a", "data", "plain text that is longer than eight bytes", "é", "☀️", "😀", "\\n", "\\\"", "\\\\", "\\u00e9",
            "\\ud83d\\ude00", "]", "}", ",", ":", "\u{7F}",
        ]
        return "\"" + (0..<random.below(5)).map { _ in random.pick(parts) }.joined() + "\""
    }

    /// Changes, drops or adds a byte.
    static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let byte = random.pick(
            Array("\"\\[]{}:,-+.eE019tfnu /\n\t".utf8) + [0x00, 0x1F, 0x80, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        )
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = byte
        case 1: bytes.remove(at: place)
        default: bytes.insert(byte, at: place)
        }
        if bytes.isEmpty { bytes = [byte] }
    }
}
