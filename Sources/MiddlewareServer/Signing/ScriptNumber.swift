internal import HeliumServerKit

/// JavaScript's `Number(text)`, which the reference applies to the time stamp part of a key (§1.5, step 5).
enum ScriptNumber {
    /// The number that `text` stands for, or nil where JavaScript says `NaN`. White space around it is ignored, the
    /// empty text is 0, and hexadecimal, octal and binary prefixes, exponents and `Infinity` count.
    static func parse(_ text: String) -> Double? {
        let body = text.trimming()
        if body.isEmpty { return 0 }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where body.lowercased().hasPrefix(prefix) {
            let digits = body.dropFirst(2)
            guard !digits.isEmpty, digits.first != "+", digits.first != "-" else { return nil }
            return UInt64(digits, radix: radix).map { Double($0) }
        }
        switch body {
        case "Infinity", "+Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: break
        }
        // Swift also reads "nan", "inf" and hexadecimal floats: only decimal spelling may reach it.
        guard body.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }) else { return nil }
        return Double(body)
    }
}
