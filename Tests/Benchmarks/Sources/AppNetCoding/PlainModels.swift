import Foundation
import HeliumJSON

/// The same page in structs that the compiler makes `Codable`: what Foundation's decoder is measured with.
struct PlainAnswer: Codable, Equatable {
    var meta: Meta
    var data: [Message]

    struct Meta: Codable, Equatable {
        var code: Int
        var more: Bool?
        var max_id: String?
        var min_id: String?
    }

    struct Message: Codable, Equatable {
        var id: String
        var channel_id: String
        var thread_id: String
        var created_at: Date
        var text: String?
        var html: String?
        var machine_only: Bool
        var num_replies: Int
        var source: Source
        var entities: Entities
        var annotations: [Annotation]?
        var user: User?
        var reply_to: String?
        var is_deleted: Bool?
        var pagination_id: String?
    }

    struct Source: Codable, Equatable {
        var client_id: String?
        var link: String
        var name: String
    }

    struct Entities: Codable, Equatable {
        var mentions: [Mention]
        var hashtags: [Hashtag]
        var links: [Link]

        struct Mention: Codable, Equatable {
            var name: String
            var id: String
            var pos: Int
            var len: Int
            var is_leading: Bool?
        }

        struct Hashtag: Codable, Equatable {
            var name: String
            var pos: Int
            var len: Int
        }

        struct Link: Codable, Equatable {
            var text: String
            var url: String
            var pos: Int
            var len: Int
            var amended_len: Int?
        }
    }

    struct Annotation: Codable, Equatable {
        var type: String
        var value: JSONValue
    }

    struct User: Codable, Equatable {
        var id: String
        var username: String
        var name: String
        var description: Description?
        var timezone: String
        var locale: String
        var avatar_image: Image
        var cover_image: Image
        var type: String
        var created_at: Date
        var counts: Counts
        var follows_you: Bool?
        var you_follow: Bool?
        var you_muted: Bool?
        var you_blocked: Bool?
        var you_can_follow: Bool?
        var you_can_subscribe: Bool?
        var verified_domain: String?
        var canonical_url: String

        struct Description: Codable, Equatable {
            var text: String
            var html: String?
            var entities: Entities
        }

        struct Image: Codable, Equatable {
            var url: String
            var width: Int
            var height: Int
            var is_default: Bool
        }

        struct Counts: Codable, Equatable {
            var following: Int
            var followers: Int
            var posts: Int
            var stars: Int
        }
    }
}
