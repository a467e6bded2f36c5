internal import HeliumJSON

/// Converts values to numbers, and numbers to the text of values (Docs/Protocols/Cosm.md §5).
enum NumericText {
    /// Returns the number in a value's text; `nil` for other texts, infinities and notations that only programming
    /// languages have.
    static func number(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy(isNumeric), let value = Double(text), value.isFinite else {
            return nil
        }
        return value
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Returns the shortest text of a number in a JSON document: `42` for 42, `20.5` for 20.50, `1000` for 1e3. A
    /// number beyond the range or precision of a double keeps its digits.
    static func shortest(_ number: JSONNumber) -> String {
        let text = number.description
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }),
            text.utf8.count <= 17, let value = number.doubleValue
        else { return text }
        let shortest = value.description.replacing("e+", with: "e")
        // A fraction stays a fraction. An exponent does not make a number a fraction.
        return text.utf8.contains(UInt8(ascii: ".")) || !shortest.hasSuffix(".0")
            ? shortest : String(shortest.dropLast(2))
    }

    /// Returns the text of a minimum or maximum, which has at least one decimal (`658.0`).
    static func decimal(_ value: Double) -> String { value.description }
}
