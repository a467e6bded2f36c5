import Foundation

/// A page's element, as a `Codable` type without anything of ours.
struct Message: Codable, Equatable {
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
