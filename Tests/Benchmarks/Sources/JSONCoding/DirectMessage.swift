import Foundation
import HeliumJSON

/// The same as ``Message``, and it reads itself.
struct DirectMessage: Codable, Equatable {
    var id: String
    var conversationID: String
    var text: String
    var authorID: String
    var language: String?
    var isSensitive: Bool
    var created: Date
    var edited: Date?
    var metrics: Metrics
    var user: User?
    var entities: Entities?
    var annotations: [Annotation]?

    struct Metrics: Codable, Equatable {
        var likes: Int
        var reposts: Int
        var replies: Int
        var quotes: Int
        var score: Double
    }

    struct User: Codable, Equatable {
        var id: String
        var name: String
        var username: String
        var verified: Bool
        var followers: Int
        var created: Date
        var profile: Profile?
    }

    struct Profile: Codable, Equatable {
        var bio: String
        var url: String
        var location: String?
    }

    struct Entities: Codable, Equatable {
        var links: [Link]?
        var mentions: [Mention]?
        var hashtags: [Hashtag]?
    }

    struct Link: Codable, Equatable {
        var start: Int
        var end: Int
        var url: String
        var expanded: String?
    }

    struct Mention: Codable, Equatable {
        var start: Int
        var end: Int
        var username: String
    }

    struct Hashtag: Codable, Equatable {
        var start: Int
        var end: Int
        var tag: String
    }

    struct Annotation: Codable, Equatable {
        var start: Int
        var end: Int
        var probability: Double
        var type: String
        var text: String
    }

    enum CodingKeys: String, CodingKey {
        case id, text, metrics, user, entities, annotations
        case conversationID = "conversation_id"
        case authorID = "author_id"
        case language = "lang"
        case isSensitive = "possibly_sensitive"
        case created = "created_at"
        case edited = "edited_at"
    }
}

// MARK: Reading

extension DirectMessage: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var id: String?
        var conversationID: String?
        var text: String?
        var authorID: String?
        var language: String?
        var isSensitive: Bool?
        var created: Date?
        var edited: Date?
        var metrics: Metrics?
        var user: User?
        var entities: Entities?
        var annotations: [Annotation]?
        try json.forEachMember { key, value in
            switch key {
            case "id": id = try value.read()
            case "conversation_id": conversationID = try value.read()
            case "text": text = try value.read()
            case "author_id": authorID = try value.read()
            case "lang": language = try value.read()
            case "possibly_sensitive": isSensitive = try value.read()
            case "created_at": created = try value.read()
            case "edited_at": edited = try value.read()
            case "metrics": metrics = try value.read()
            case "user": user = try value.read()
            case "entities": entities = try value.read()
            case "annotations": annotations = try value.read()
            default: break
            }
        }
        self.init(
            id: try json.required(id, "id"),
            conversationID: try json.required(conversationID, "conversation_id"),
            text: try json.required(text, "text"),
            authorID: try json.required(authorID, "author_id"),
            language: language,
            isSensitive: try json.required(isSensitive, "possibly_sensitive"),
            created: try json.required(created, "created_at"),
            edited: edited,
            metrics: try json.required(metrics, "metrics"),
            user: user,
            entities: entities,
            annotations: annotations
        )
    }
}

extension DirectMessage.Metrics: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var likes: Int?
        var reposts: Int?
        var replies: Int?
        var quotes: Int?
        var score: Double?
        try json.forEachMember { key, value in
            switch key {
            case "likes": likes = try value.read()
            case "reposts": reposts = try value.read()
            case "replies": replies = try value.read()
            case "quotes": quotes = try value.read()
            case "score": score = try value.read()
            default: break
            }
        }
        self.init(
            likes: try json.required(likes, "likes"),
            reposts: try json.required(reposts, "reposts"),
            replies: try json.required(replies, "replies"),
            quotes: try json.required(quotes, "quotes"),
            score: try json.required(score, "score")
        )
    }
}

extension DirectMessage.User: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var id: String?
        var name: String?
        var username: String?
        var verified: Bool?
        var followers: Int?
        var created: Date?
        var profile: DirectMessage.Profile?
        try json.forEachMember { key, value in
            switch key {
            case "id": id = try value.read()
            case "name": name = try value.read()
            case "username": username = try value.read()
            case "verified": verified = try value.read()
            case "followers": followers = try value.read()
            case "created": created = try value.read()
            case "profile": profile = try value.read()
            default: break
            }
        }
        self.init(
            id: try json.required(id, "id"),
            name: try json.required(name, "name"),
            username: try json.required(username, "username"),
            verified: try json.required(verified, "verified"),
            followers: try json.required(followers, "followers"),
            created: try json.required(created, "created"),
            profile: profile
        )
    }
}

extension DirectMessage.Profile: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var bio: String?
        var url: String?
        var location: String?
        try json.forEachMember { key, value in
            switch key {
            case "bio": bio = try value.read()
            case "url": url = try value.read()
            case "location": location = try value.read()
            default: break
            }
        }
        self.init(
            bio: try json.required(bio, "bio"),
            url: try json.required(url, "url"),
            location: location
        )
    }
}

extension DirectMessage.Entities: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var links: [DirectMessage.Link]?
        var mentions: [DirectMessage.Mention]?
        var hashtags: [DirectMessage.Hashtag]?
        try json.forEachMember { key, value in
            switch key {
            case "links": links = try value.read()
            case "mentions": mentions = try value.read()
            case "hashtags": hashtags = try value.read()
            default: break
            }
        }
        self.init(
            links: links,
            mentions: mentions,
            hashtags: hashtags
        )
    }
}

extension DirectMessage.Link: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var start: Int?
        var end: Int?
        var url: String?
        var expanded: String?
        try json.forEachMember { key, value in
            switch key {
            case "start": start = try value.read()
            case "end": end = try value.read()
            case "url": url = try value.read()
            case "expanded": expanded = try value.read()
            default: break
            }
        }
        self.init(
            start: try json.required(start, "start"),
            end: try json.required(end, "end"),
            url: try json.required(url, "url"),
            expanded: expanded
        )
    }
}

extension DirectMessage.Mention: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var start: Int?
        var end: Int?
        var username: String?
        try json.forEachMember { key, value in
            switch key {
            case "start": start = try value.read()
            case "end": end = try value.read()
            case "username": username = try value.read()
            default: break
            }
        }
        self.init(
            start: try json.required(start, "start"),
            end: try json.required(end, "end"),
            username: try json.required(username, "username")
        )
    }
}

extension DirectMessage.Hashtag: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var start: Int?
        var end: Int?
        var tag: String?
        try json.forEachMember { key, value in
            switch key {
            case "start": start = try value.read()
            case "end": end = try value.read()
            case "tag": tag = try value.read()
            default: break
            }
        }
        self.init(
            start: try json.required(start, "start"),
            end: try json.required(end, "end"),
            tag: try json.required(tag, "tag")
        )
    }
}

extension DirectMessage.Annotation: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var start: Int?
        var end: Int?
        var probability: Double?
        var type: String?
        var text: String?
        try json.forEachMember { key, value in
            switch key {
            case "start": start = try value.read()
            case "end": end = try value.read()
            case "probability": probability = try value.read()
            case "type": type = try value.read()
            case "text": text = try value.read()
            default: break
            }
        }
        self.init(
            start: try json.required(start, "start"),
            end: try json.required(end, "end"),
            probability: try json.required(probability, "probability"),
            type: try json.required(type, "type"),
            text: try json.required(text, "text")
        )
    }
}
