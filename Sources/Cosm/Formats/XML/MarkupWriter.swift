internal import Foundation

/// Writes XML elements, escaping what has to be.
struct MarkupWriter {
    private var text = ""
    private var depth = 0
    /// Whether names of several words have hyphens, not underscores.
    let hasHyphens: Bool

    init(hasHyphens: Bool = false) { self.hasHyphens = hasHyphens }

    /// The document.
    var data: Data { Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\(text)\n".utf8) }

    /// Whether nothing was written.
    var isEmpty: Bool { text.isEmpty }

    /// A writer for what is inside of the next element.
    var inside: Self {
        var writer = Self(hasHyphens: hasHyphens)
        writer.depth = depth + 1
        return writer
    }

    /// Adds what another writer wrote.
    mutating func append(_ other: Self) { text += other.text }

    /// A member's name as elements have it.
    func spelled(_ name: StaticString) -> String { Self.spelled(name, hasHyphens) }

    /// The same without a writer: a copy of one, in a closure for example, would share its text, and each addition to it
    /// would copy all of it.
    static func spelled(_ name: StaticString, _ hasHyphens: Bool) -> String {
        hasHyphens ? String(name.description.map { $0 == "_" ? "-" : $0 }) : name.description
    }

    private mutating func beginLine() {
        text += "\n"
        for _ in 0..<depth { text += "  " }
    }

    /// Begins an element. Attributes that are `nil` or empty are left out.
    mutating func open(_ name: String, _ attributes: [(String, String?)] = []) {
        beginLine()
        text += "<\(name)"
        write(attributes)
        text += ">"
        depth += 1
    }

    mutating func close(_ name: String) {
        depth -= 1
        beginLine()
        text += "</\(name)>"
    }

    /// An element with text; without any it is left out, unless it is to be there.
    mutating func leaf(
        _ name: String,
        _ content: String?,
        _ attributes: [(String, String?)] = [],
        isKept: Bool = false
    ) {
        let content = content ?? ""
        if content.isEmpty && !isKept { return }
        beginLine()
        text += "<\(name)"
        write(attributes)
        if content.isEmpty {
            text += "/>"
        } else {
            text += ">"
            write(content, isAttribute: false)
            text += "</\(name)>"
        }
    }

    private mutating func write(_ attributes: [(String, String?)]) {
        for (name, value) in attributes {
            guard let value, !value.isEmpty else { continue }
            text += " \(name)=\""
            write(value, isAttribute: true)
            text += "\""
        }
    }

    /// Scalars that no XML document can hold are left out.
    private mutating func write(_ content: String, isAttribute: Bool) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"" where isAttribute: text += "&quot;"
            // Parsers make other blanks of these.
            case "\r": text += "&#13;"
            case "\n" where isAttribute: text += "&#10;"
            case "\t" where isAttribute: text += "&#9;"
            case "\t", "\n": text.unicodeScalars.append(scalar)
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": break
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
