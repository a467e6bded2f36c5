internal import HeliumJSON
internal import HeliumServerKit

/// A text with its entities in its stored form (Docs/Protocols/AppNet.md §3.6).
struct ProcessedText: Codable, Hashable, Sendable {
    var text: String
    var entities = AppNetEntities()

    /// The text as HTML, byte for byte as the service wrote it.
    var html: String {
        var out = #"<span itemscope="https://app.net/schemas/Post">"#
        let scalars = Array(text.unicodeScalars)
        var position = 0
        for tag in tags where tag.position >= position && tag.end <= scalars.count {
            Self.escapes.write(scalars[position..<tag.position], to: &out)
            out += tag.opening
            Self.escapes.write(scalars[tag.position..<tag.end], to: &out)
            out += tag.closing
            position = tag.end
        }
        Self.escapes.write(scalars[position...], to: &out)
        return out + "</span>"
    }

    /// The reason for which the stored form could not be read; `nil` if it can be.
    var textFault: TextFault? { text.textFault ?? entities.json.textFault }

    /// Returns `text`, `entities`, and optionally `html`.
    func members(html includesHTML: Bool) -> JSONObject {
        var members: JSONObject = ["text": .string(text)]
        if includesHTML { members["html"] = .string(html) }
        members["entities"] = entities.json
        return members
    }

    private struct Tag {
        var position: Int
        var length: Int
        var opening: String
        var closing = "</span>"

        var end: Int { position + length }
    }

    private var tags: [Tag] {
        let mentions = entities.mentions.map { mention in
            let name = Self.attribute(mention.name)
            let opening = #"<span data-mention-id="\#(mention.id)" data-mention-name="\#(name)" itemprop="mention">"#
            return Tag(position: mention.position, length: mention.length, opening: opening)
        }
        let hashtags = entities.hashtags.map { hashtag in
            let opening = #"<span data-hashtag-name="\#(Self.attribute(hashtag.name))" itemprop="hashtag">"#
            return Tag(position: hashtag.position, length: hashtag.length, opening: opening)
        }
        let links = entities.links.map { link in
            let opening = #"<a href="\#(Self.attribute(link.url))"\#(Self.title(link))>"#
            return Tag(position: link.position, length: link.length, opening: opening, closing: "</a>")
        }
        return (mentions + hashtags + links)
            .filter { $0.position >= 0 && $0.length > 0 }
            .sorted { $0.position < $1.position }
    }

    private static func title(_ link: AppNetEntities.Link) -> String {
        link.title.map { #" title="\#(attribute($0))""# } ?? ""
    }

    private static let escapes: MarkupEscapes = [.lineBreaks, .carriageReturns, .nonASCII]

    private static func attribute(_ text: String) -> String { escapes.union(.quotes).escaped(text) }
}
