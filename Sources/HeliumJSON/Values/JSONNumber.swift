/// A number of any size and precision, kept as written in its document.
///
/// Whole numbers of 64 bits are stored as integers, and all others as their text: `1.0`, `1e400` and
/// `123456789012345678901234567890` are written byte for byte as they were read.
///
/// Numbers are equal if their decimal values are equal, in whatever notation: `1`, `1.0`, `1e0` and `10e-1`; `0` and
/// `-0`. The comparison takes one pass over the texts. Numbers whose exponents have more than 18 digits are equal only
/// if their texts are the same.
public struct JSONNumber: Sendable {
    enum Storage: Sendable {
        /// A number written exactly like an `Int64`.
        case integer(Int64)
        /// The text of any other number.
        case text(String)
    }

    let storage: Storage

    /// Creates the number of a text. Returns `nil` if the text is invalid.
    ///
    /// - Parameter text: A number by JSON's grammar (RFC 8259 §6), which does not allow `+1`, `.5` or `01`, and nothing
    ///   else.
    public init?(_ text: String) {
        var text = text
        guard let number = text.withUTF8(Self.parse) else { return nil }
        self = number
    }

    private static func parse(_ text: UnsafeBufferPointer<UInt8>) -> JSONNumber? {
        guard let first = text.first, first == 0x2D || first &- 0x30 < 10 else { return nil }
        var scanner = ByteScanner(text)
        guard let word = try? scanner.number(), scanner.isAtEnd else { return nil }
        return JSONNumber(checked: text, isInteger: word.kind == .integer)
    }

    /// Creates a number from a text that was validated.
    ///
    /// - Parameter isInteger: Whether it has neither fraction nor exponent.
    init(checked text: UnsafeBufferPointer<UInt8>, isInteger: Bool) {
        if isInteger, let value = NumberText.smallInteger(text), value != 0 || text.count == 1 {
            storage = .integer(value)
            return
        }
        let string = String(decoding: text, as: UTF8.self)
        // `Int64` is never written as "-0".
        if isInteger, text.count > 2, let value = Int64(string) {
            storage = .integer(value)
        } else {
            storage = .text(string)
        }
    }
}

// MARK: Equality

extension JSONNumber: Hashable {
    /// Returns whether two numbers have the same decimal value.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        switch (left.storage, right.storage) {
        case (.integer(let left), .integer(let right)):
            return left == right
        case (.integer(let integer), .text), (.text, .integer(let integer)):
            let other = if case .text = left.storage { left } else { right }
            return Int64(exactly: other) == integer
        case (.text(var left), .text(var right)):
            if left == right { return true }
            return left.withUTF8 { left in
                right.withUTF8 { DecimalForm.areEqual(DecimalForm(left), DecimalForm($0)) }
            }
        }
    }

    /// Hashes the decimal value.
    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .integer(let value):
            hasher.combine(value)
        case .text(var text):
            text.withUTF8 { text in
                let form = DecimalForm(text)
                if let value = form.integer(as: Int64.self) {
                    hasher.combine(value)
                } else {
                    form.hash(into: &hasher)
                }
            }
        }
    }
}

extension JSONNumber: LosslessStringConvertible, CustomDebugStringConvertible {
    /// The text of the number, as written in the document.
    public var description: String {
        switch storage {
        case .integer(let value): value.description
        case .text(let text): text
        }
    }

    /// A description such as `JSONNumber(1.0)`.
    public var debugDescription: String { "JSONNumber(\(description))" }
}
