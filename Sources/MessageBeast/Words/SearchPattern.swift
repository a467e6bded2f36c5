internal import HeliumJSON

/// A pattern of FTS5 whose phrases are folded and split like the texts of the index.
///
/// Everything else is passed to SQLite, which reports invalid syntax.
struct SearchPattern {
    /// The pattern for a ``WordIndex``.
    private(set) var text = ""
    /// The phrases. Those after `NOT` are included, but a hit does not contain them.
    private(set) var words: [SearchWord] = []

    /// An element of the syntax of FTS5.
    private enum Element {
        /// A word without quotation marks, or a text within them.
        case phrase(String, written: Substring.UnicodeScalarView)
        case other(Unicode.Scalar)

        /// Whether the element is a certain sign.
        func isSign(_ sign: Unicode.Scalar) -> Bool {
            if case .other(sign) = self { return true }
            return false
        }
    }

    /// Creates the folded form of a pattern.
    init(_ pattern: String) {
        let elements = Self.elements(of: pattern)
        var isInColumns = false
        for (index, element) in elements.enumerated() {
            let next = index + 1 < elements.count ? elements[index + 1] : nil
            switch element {
            case .other(let scalar):
                if scalar == "{" { isInColumns = true }
                if scalar == "}" { isInColumns = false }
                text.unicodeScalars.append(scalar)
            case .phrase(let content, let written):
                let isDistance = index > 0 && elements[index - 1].isSign(",")
                let isKept = isInColumns || isDistance || next?.isSign(":") ?? false || isOperator(written, next)
                if isKept {
                    text.unicodeScalars.append(contentsOf: written)
                } else {
                    append(content, next)
                }
            }
            text += " "
        }
    }

    private func isOperator(_ written: Substring.UnicodeScalarView, _ next: Element?) -> Bool {
        let written = String(written)
        return ["AND", "OR", "NOT"].contains { written.hasSameBytes(as: $0) }
            || (written.hasSameBytes(as: "NEAR") && next?.isSign("(") ?? false)
    }

    private mutating func append(_ content: String, _ next: Element?) {
        let isPrefix = next?.isSign("*") ?? false
        let phrase = SearchWord(phrase: content, isPrefix: isPrefix, isContinued: next?.isSign("+") ?? false)
        text += phrase.phrase + (phrase.isLastTokenPrefix && !isPrefix ? "*" : "")
        if !phrase.tokens.isEmpty { words.append(phrase) }
    }

    // MARK: Syntax

    /// Splits a pattern. A quotation mark that is not closed is an element, which SQLite rejects.
    private static func elements(of pattern: String) -> [Element] {
        var rest = pattern[...].unicodeScalars
        var elements: [Element] = []
        while let first = rest.first {
            if first == "\"", let end = endOfQuotation(in: rest) {
                let written = rest[..<end]
                let content = String(written.dropFirst().dropLast()).replacingBytes(of: "\"\"", with: "\"")
                elements.append(.phrase(content, written: written))
                rest = rest[end...]
            } else if isBare(first) {
                let end = rest.firstIndex { !isBare($0) } ?? rest.endIndex
                elements.append(.phrase(String(rest[..<end]), written: rest[..<end]))
                rest = rest[end...]
            } else {
                if !" \t\n\r".unicodeScalars.contains(first) { elements.append(.other(first)) }
                rest = rest.dropFirst()
            }
        }
        return elements
    }

    /// Returns the position after a text in quotation marks; `nil` if it does not end. Two marks in it mean one.
    private static func endOfQuotation(in text: Substring.UnicodeScalarView) -> String.Index? {
        var index = text.index(after: text.startIndex)
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index] == "\"" {
                guard next < text.endIndex, text[next] == "\"" else { return next }
                index = text.index(after: next)
            } else {
                index = next
            }
        }
        return nil
    }

    /// Returns whether a character may be part of a word without quotation marks.
    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 48...57, 65...90, 95, 97...122, 0x1A, 0x80...: true
        default: false
        }
    }
}

extension SearchWord {
    /// Creates a phrase of all words of a text.
    ///
    /// - Parameter isContinued: Whether another phrase follows without a gap.
    fileprivate init(phrase text: String, isPrefix: Bool, isContinued: Bool) {
        var tokens: [Token] = []
        var scanner = WordScanner()
        scanner.scan(text.unicodeScalars) { tokens += SearchWord.tokens(of: $0) }
        self.init(tokens: tokens, isPrefix: isPrefix)
        if !isContinued { dropClosing() }
    }
}
