internal import HeliumJSON
internal import HeliumServerKit

/// The entities of a text (Docs/Protocols/AppNet.md §3.6). Positions and lengths are in code points.
struct AppNetEntities: Codable, Hashable, Sendable {
    struct Mention: Codable, Hashable, Sendable {
        /// The user name in lower case, without `@`.
        var name: String
        var id: Int64
        var position: Int
        var length: Int
        var isLeading = false
        /// Whether the mention is a copy: `/@name` in pnut.io (Docs/Protocols/AppNet.md §6.3).
        var isCopy = false
    }

    struct Hashtag: Codable, Hashable, Sendable {
        /// The tag in lower case, without `#`.
        var name: String
        var position: Int
        var length: Int
    }

    struct Link: Codable, Hashable, Sendable {
        /// The anchor text.
        var text: String
        var url: String
        var position: Int
        var length: Int
        /// The length including the host that the server wrote after the anchor.
        var amendedLength: Int?
        /// The title from Markdown in pnut.io (Docs/Protocols/AppNet.md §6.3).
        var title: String?
        /// Whether templates in ``url`` have to be replaced. Not stored.
        var processesTemplate = true
    }

    var mentions: [Mention] = []
    var hashtags: [Hashtag] = []
    var links: [Link] = []

    /// Moves all entities to new positions.
    mutating func movePositions(_ moved: (Int) -> Int) {
        for index in mentions.indices { mentions[index].position = moved(mentions[index].position) }
        for index in hashtags.indices { hashtags[index].position = moved(hashtags[index].position) }
        for index in links.indices { links[index].position = moved(links[index].position) }
    }

    /// Returns the entities with the templates in links' URLs replaced. Unknown names are not changed
    /// (Docs/Protocols/AppNet.md §3.6).
    func replacingTemplates(_ name: String, with id: Int64) -> Self {
        var entities = self
        for index in links.indices where links[index].processesTemplate {
            entities.links[index].url.replace("{\(name)}", with: String(id))
        }
        return entities
    }
}

extension AppNetEntities {
    /// The JSON object for responses and for the store. It always contains all three lists.
    var json: JSONValue {
        [
            "mentions": .array(mentions.map(\.json)), "hashtags": .array(hashtags.map(\.json)),
            "links": .array(links.map(\.json)),
        ]
    }

    /// Creates entities from a value that ``json`` returned.
    init(stored: JSONValue) {
        func list(_ name: String) -> [JSONValue] { stored[name]?.arrayValue ?? [] }
        mentions = list("mentions").map(Mention.init(stored:))
        hashtags = list("hashtags").map(Hashtag.init(stored:))
        links = list("links").map(Link.init(stored:))
    }
}

extension AppNetEntities.Mention {
    fileprivate var json: JSONValue {
        var json: JSONValue = ["name": .string(name), "id": .id(id), "pos": .count(position), "len": .count(length)]
        if isLeading { json["is_leading"] = .bool(true) }
        if isCopy { json["is_copy"] = .bool(true) }
        return json
    }

    fileprivate init(stored: JSONValue) {
        name = stored["name"]?.stringValue ?? ""
        id = stored["id"]?.stringValue.flatMap { Int64($0) } ?? 0
        position = stored.place("pos")
        length = stored.place("len")
        isLeading = stored["is_leading"] == .bool(true)
        isCopy = stored["is_copy"] == .bool(true)
    }
}

extension AppNetEntities.Hashtag {
    fileprivate var json: JSONValue { ["name": .string(name), "pos": .count(position), "len": .count(length)] }

    fileprivate init(stored: JSONValue) {
        name = stored["name"]?.stringValue ?? ""
        position = stored.place("pos")
        length = stored.place("len")
    }
}

extension AppNetEntities.Link {
    fileprivate var json: JSONValue {
        var json: JSONValue = [
            "text": .string(text), "url": .string(url), "pos": .count(position), "len": .count(length),
        ]
        if let amendedLength { json["amended_len"] = .count(amendedLength) }
        if let title { json["title"] = .string(title) }
        return json
    }

    fileprivate init(stored: JSONValue) {
        text = stored["text"]?.stringValue ?? ""
        url = stored["url"]?.stringValue ?? ""
        position = stored.place("pos")
        length = stored.place("len")
        amendedLength = stored["amended_len"].map { _ in stored.place("amended_len") }
        title = stored["title"]?.stringValue
    }
}

extension JSONValue {
    fileprivate func place(_ name: String) -> Int { self[name]?.integerValue.flatMap { Int(exactly: $0) } ?? 0 }
}
