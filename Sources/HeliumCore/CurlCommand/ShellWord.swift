internal import HeliumEssentials

/// Bytes as words of a POSIX shell (IEEE Std 1003.1, Shell Command Language, sections 2.2 and 2.6.3).
///
/// The results contain no control character except the line feed, and no character that a terminal shows as something
/// else, so they can be pasted safely.
package enum ShellWord {
    /// Returns whether `bytes` can be placed unchanged between single quotes.
    static func isPlain(_ bytes: some Collection<UInt8>) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\n"
            case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
            default: true
            }
        }
    }

    /// Returns one word with exactly these bytes. If they are not ``isPlain(_:)``, they must not contain a zero byte or
    /// end with a line feed: program arguments can't contain the former, and `$(…)` drops the latter.
    static func quoted(_ bytes: some Collection<UInt8>) -> String {
        guard isPlain(bytes) else { return "\"$(\(printf(bytes)))\"" }
        return "'" + String(decoding: bytes, as: UTF8.self).replacingBytes(of: "'", with: #"'\''"#) + "'"
    }

    /// Returns one word with this text.
    package static func quoted(_ text: String) -> String { quoted(text.utf8) }

    /// Returns a command that prints exactly these bytes.
    static func printf(_ bytes: some Collection<UInt8>) -> String {
        var format = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "%"):
                format += "%%"
            // A hyphen at the beginning would start an option.
            case UInt8(ascii: "-") where format.isEmpty, UInt8(ascii: "\\"), UInt8(ascii: "'"):
                appendOctal(byte, to: &format)
            case 0x20...0x7E:
                format.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                appendOctal(byte, to: &format)
            }
        }
        return "printf '\(format)'"
    }

    private static func appendOctal(_ byte: UInt8, to format: inout String) {
        let digits = String(byte, radix: 8)
        format += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
