internal import Foundation

/// Writes XML elements, escaping what has to be.
struct MarkupWriter {
    private var text = #"<?xml version="1.0" encoding="UTF-8"?>"#
    private var depth = 0

    var data: Data { Data("\(text)\n".utf8) }

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
