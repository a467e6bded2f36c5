internal import Foundation

/// Writes XML elements and escapes texts.
struct MarkupWriter {
    private var text = ""
    private var depth = 0
    /// Whether names of several words have hyphens instead of underscores.
    let hasHyphens: Bool

    init(hasHyphens: Bool = false) { self.hasHyphens = hasHyphens }

    /// The document.
    var data: Data { Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\(text)\n".utf8) }

    /// Whether nothing has been written.
    var isEmpty: Bool { text.isEmpty }

    /// A writer for the content of the next element.
    var inside: Self {
        var writer = Self(hasHyphens: hasHyphens)
        writer.depth = depth + 1
        return writer
    }

    /// Appends the output of another writer.
    mutating func append(_ other: Self) { text += other.text }

    /// Returns the name of a member's element.
    func spelled(_ name: StaticString) -> String { Self.spelled(name, hasHyphens) }

    /// Returns the name of a member's element without using a writer.
    ///
    /// Capturing a writer in a closure copies it and shares its text, so that each later addition would copy the whole
    /// text.
    static func spelled(_ name: StaticString, _ hasHyphens: Bool) -> String {
        hasHyphens ? String(name.description.map { $0 == "_" ? "-" : $0 }) : name.description
    }

    private mutating func beginLine() {
        text += "\n"
        for _ in 0..<depth { text += "  " }
    }

    /// Writes the start tag of an element. Attributes that are `nil` or empty are left out.
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

    /// Writes an element with text. It is left out without text, unless `isKept` is `true`.
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

    /// Writes an escaped text. Scalars that are not allowed in XML are left out.
    private mutating func write(_ content: String, isAttribute: Bool) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"" where isAttribute: text += "&quot;"
            // Parsers normalize these characters to other white space.
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
