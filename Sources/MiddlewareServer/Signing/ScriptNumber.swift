/// JavaScript's `Number(text)`, which the reference server applies to the time stamp of a key
/// (Docs/Protocols/Middleware.md §1.5, step 5).
package enum ScriptNumber {
    /// Returns the number of `text`, or `nil` if JavaScript returns `NaN`. White space around it is ignored, and the
    /// empty text is 0. Hexadecimal, octal and binary prefixes, exponents and `Infinity` are accepted.
    package static func parse(_ text: String) -> Double? {
        let body = trimmed(text)
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
        // Swift also accepts "nan", "inf" and hexadecimal floats, so only decimal text is passed to it.
        guard body.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }) else { return nil }
        return Double(body)
    }

    /// Removes JavaScript's white space and line ends from both ends. A `Character` would not do: a space with a combining
    /// mark is white space to Swift only.
    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x2028, 0x2029, 0xFEFF: true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }
}
