/// Makes text that a peer sent safe to show on a terminal or in one line of a log.
package enum PeerText {
    /// Returns `text` with all characters escaped that are not shown as themselves: control characters (C0, DEL and C1,
    /// which include line breaks, BEL and ESC), line and paragraph separators, and marks that change the direction of
    /// text.
    ///
    /// Line feed, carriage return and tab become `\n`, `\r` and `\t`, the others a form such as `\u{1b}`. Text without
    /// such characters is returned unchanged.
    package static func escaped(_ text: String) -> String {
        guard mayNeedEscape(text) else { return text }
        var out = ""
        out.reserveCapacity(text.utf8.count + 32)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: out += "\\n"
            case 0x0D: out += "\\r"
            case 0x09: out += "\\t"
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                out += "\\u{\(String(scalar.value, radix: 16))}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// Returns the beginning of `text`, at most `bytes` bytes of UTF-8, and an ellipsis if something is left out. It
    /// cuts between scalars, because a peer could make finding the ends of characters slow.
    package static func shortened(_ text: String, to bytes: Int) -> String {
        text.utf8.count > bytes ? beginning(of: text, bytes: bytes) + "…" : text
    }

    /// Returns the beginning of `text`, at most `bytes` bytes of UTF-8, cut between scalars.
    package static func beginning(of text: String, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var cut = text.utf8.index(text.startIndex, offsetBy: bytes)
        while cut > text.startIndex, text.utf8[cut] & 0xC0 == 0x80 { cut = text.utf8.index(before: cut) }
        return String(text[..<cut])
    }

    /// Returns `false` for nearly all text after one pass over its bytes.
    private static func mayNeedEscape(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            for byte in bytes where byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2 {
                return true
            }
            return false
        }
    }
}
