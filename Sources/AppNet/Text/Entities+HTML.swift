extension Entities {
    /// Returns the text as HTML, identical to the service's `html` byte for byte (Docs/Protocols/AppNet.md §3.6).
    ///
    /// Entities outside the text, and those that overlap an earlier entity, are left out.
    public func html(of text: String) -> String {
        var writer = HTMLWriter()
        writer.markup("<span itemscope=\"https://app.net/schemas/Post\">")
        var end = text.startIndex
        for (entity, range) in placed(in: text) {
            writer.text(text[end..<range.lowerBound])
            writer.entity(entity, text[range])
            end = range.upperBound
        }
        writer.text(text[end...])
        writer.markup("</span>")
        return writer.html
    }
}

/// A writer of text and markup that follows the service's escaping rules.
private struct HTMLWriter {
    private(set) var html = ""

    mutating func markup(_ markup: StaticString) { html += markup.description }

    mutating func text(_ text: Substring) { escape(text) }

    mutating func entity(_ entity: PlacedEntity, _ content: Substring) {
        switch entity {
        case .mention(let mention):
            markup("<span")
            attribute("data-mention-id", mention.id?.text)
            attribute("data-mention-name", mention.name)
            markup(" itemprop=\"mention\">")
            text(content)
            markup("</span>")
        case .hashtag(let hashtag):
            markup("<span")
            attribute("data-hashtag-name", hashtag.name)
            markup(" itemprop=\"hashtag\">")
            text(content)
            markup("</span>")
        case .link(let link):
            markup("<a")
            attribute("href", link.url?.text)
            markup(">")
            text(content)
            markup("</a>")
        }
    }

    private mutating func attribute(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        html += " \(name)=\""
        escape(value, isAttribute: true)
        html += "\""
    }

    private mutating func escape(_ text: some StringProtocol, isAttribute: Bool = false) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\n": html += "<br>"
            case "\r": html += "&#13;"
            case "\"" where isAttribute: html += "&quot;"
            default:
                if scalar.value > 0x7E {
                    html += "&#\(scalar.value);"
                } else {
                    html.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
