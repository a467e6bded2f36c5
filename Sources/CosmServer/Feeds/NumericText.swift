internal import HeliumJSON

/// Values as numbers where they are some, and numbers as the text of values (§5).
enum NumericText {
    /// The number that a value's text says; nil for text, infinities and what only a programmer would call a number.
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

    /// The shortest text of a number in a JSON document: `42` for 42, `20.5` for 20.50, `1000` for 1e3. What is beyond a
    /// double's range or precision keeps its digits.
    static func shortest(_ number: JSONNumber) -> String {
        let text = number.description
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }),
            text.utf8.count <= 17, let value = number.doubleValue
        else { return text }
        let shortest = value.description.replacing("e+", with: "e")
        // A fraction stays one that was written as one; an exponent makes none.
        return text.utf8.contains(UInt8(ascii: ".")) || !shortest.hasSuffix(".0")
            ? shortest : String(shortest.dropLast(2))
    }

    /// An extreme as it is shown: with at least one decimal (`658.0`).
    static func decimal(_ value: Double) -> String { value.description }
}
