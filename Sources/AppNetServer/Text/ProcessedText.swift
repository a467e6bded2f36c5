internal import HeliumJSON
internal import HeliumServerKit

/// A text with its entities, as the server keeps it (§3.6).
struct ProcessedText: Hashable, Sendable {
    var text: String
    var entities = AppNetEntities()

    /// The text in HTML, byte for byte as the service wrote it.
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

    /// `text`, `html` if it is wanted, and `entities`.
    func members(html includesHTML: Bool) -> JSONObject {
        var members: JSONObject = ["text": .string(text)]
        if includesHTML { members["html"] = .string(html) }
        members["entities"] = entities.json
        return members
    }

    private struct Tag {
        var position: Int
        var end: Int
        var opening: String
        var closing: String
    }

    private var tags: [Tag] {
        let mentions = entities.mentions.map { mention in
            let name = Self.attribute(mention.name)
            return Tag(
                position: mention.position,
                end: mention.position + mention.length,
                opening: #"<span data-mention-id="\#(mention.id)" data-mention-name="\#(name)" itemprop="mention">"#,
                closing: "</span>"
            )
        }
        let hashtags = entities.hashtags.map { hashtag in
            Tag(
                position: hashtag.position,
                end: hashtag.position + hashtag.length,
                opening: #"<span data-hashtag-name="\#(Self.attribute(hashtag.name))" itemprop="hashtag">"#,
                closing: "</span>"
            )
        }
        let links = entities.links.map { link in
            Tag(
                position: link.position,
                end: link.position + link.length,
                opening: #"<a href="\#(Self.attribute(link.url))"\#(Self.title(link))>"#,
                closing: "</a>"
            )
        }
        return (mentions + hashtags + links)
            .filter { $0.position >= 0 && $0.end > $0.position }
            .sorted { $0.position < $1.position }
    }

    private static func title(_ link: AppNetEntities.Link) -> String {
        link.title.map { #" title="\#(attribute($0))""# } ?? ""
    }

    private static let escapes: MarkupEscapes = [.lineBreaks, .carriageReturns, .nonASCII]

    private static func attribute(_ text: String) -> String { escapes.union(.quotes).escaped(text) }
}
