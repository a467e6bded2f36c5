/// Text for display. Text of others in it can neither add a line nor control a terminal.
///
/// Literals belong to the tool, with their line breaks. Every interpolated value is escaped to one line
/// (``PrintableText/line(_:)``), so a message cannot be built without escaping:
///
/// ```swift
/// Console.current.note("helium: no connection, retrying: \(error)")
/// ```
struct OutputText: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// The escaped text, without a line feed at the end.
    let text: String

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// The text on one line.
    init(line text: String) { self.text = PrintableText.line(text) }

    /// Text of which the line breaks are shown too, such as the body of a response. Use it only where no other line could
    /// be mistaken for one of the tool.
    init(lines text: String) { self.text = PrintableText.lines(text) }

    /// A JSON document, with its unsafe characters escaped in JSON's way.
    init(json text: String) { self.text = PrintableText.json(text) }

    init(_ table: TextTable) { text = table.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ value: OutputText) { text += value.text }

        mutating func appendInterpolation(_ value: some Any) { text += PrintableText.line(String(describing: value)) }
    }

    /// Returns both texts one after the other.
    static func + (first: Self, second: Self) -> Self { "\(first)\(second)" }
}

extension [OutputText] {
    /// Returns the texts on lines of their own.
    func joinedLines() -> OutputText {
        guard let first else { return "" }
        return dropFirst().reduce(first) { $0 + "\n" + $1 }
    }
}
