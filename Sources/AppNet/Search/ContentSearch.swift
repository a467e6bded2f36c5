public import Foundation
internal import HeliumCore

/// A search for posts or messages (Docs/Protocols/AppNet.md §2.12). All criteria have to match. Values are written
/// without `#`, `@` and `www.`.
public struct ContentSearch: Hashable, Sendable {
    /// The search terms. Supported forms are `"phrase"`, `+a -b`, `a OR b`, `#tag` and `@name`.
    public var text: String?

    /// The words in the text only; App.net only.
    public var plainText: String?

    /// The order of the results. The service's default is by id, and for pnut.io's messages by relevance.
    public var order: Order?

    /// The hashtags.
    public var hashtags: [String] = []
    /// The URLs of links.
    public var links: [String] = []
    /// The hosts of links.
    public var linkDomains: [String] = []
    /// The names of mentioned users.
    public var mentions: [String] = []
    /// The names of users who are mentioned at the beginning.
    public var leadingMentions: [String] = []
    /// The types of annotations.
    public var annotationTypes: [String] = []
    /// The types of attached files; App.net only.
    public var attachmentTypes: [String] = []

    /// The id of a place; App.net only.
    public var place: Place.ID?
    /// The language as an ISO 639-1 code; App.net only.
    public var language: String?
    /// The client id of the app that created the item.
    public var clientID: String?
    /// The id of the author.
    public var creator: AppNetUser.ID?
    /// The id of the post or message that the item replies to.
    public var replyTo: String?
    /// The id of a post or message of the thread.
    public var thread: String?

    /// Whether the item is a reply.
    public var isReply: Bool?
    /// Whether the item begins with a mention. App.net only, like all criteria up to ``isCrosspost``.
    public var isDirected: Bool?
    /// Whether the item has a location.
    public var hasLocation: Bool?
    /// Whether the item is a check-in.
    public var hasCheckin: Bool?
    /// Whether the item has an attached file.
    public var hasAttachment: Bool?
    /// Whether the item has a photo.
    public var hasPhoto: Bool?
    /// Whether the item has a video.
    public var hasVideo: Bool?
    /// Whether the item has an HTML5 video.
    public var hasHTML5Video: Bool?
    /// Whether the item has rich content.
    public var hasRichContent: Bool?
    /// The URL at which the item was also posted; posts only.
    public var crosspostURL: String?
    /// The host on which the item was also posted; posts only.
    public var crosspostDomain: String?
    /// Whether the item was also posted elsewhere; posts only.
    public var isCrosspost: Bool?

    /// The earliest creation date; pnut.io only.
    public var createdAfter: Date?
    /// The latest creation date; pnut.io only.
    public var createdBefore: Date?

    /// The parameters without a property in this type, by name. They are sent unchanged.
    public var additional: [String: String] = [:]

    /// Creates a search for words. `nil` searches by filters only.
    public init(_ text: String? = nil) { self.text = text }

    /// The order of the results, as a name from a list that may grow.
    public struct Order: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates an order from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The newest items first.
        public static let id = Self(rawValue: "id")
        /// The best matches first; App.net only.
        public static let score = Self(rawValue: "score")
        /// The best matches first; pnut.io only.
        public static let relevance = Self(rawValue: "relevance")
    }
}

extension ContentSearch {
    /// Returns the query representation.
    func query(in dialect: AppNetDialect) -> QueryParameters {
        var query: QueryParameters = [
            "client_id": clientID, "creator_id": creator?.text, "is_reply": isReply.flag, "order": order?.rawValue,
            "reply_to": replyTo, "thread_id": thread,
        ]
        func set(_ name: String, _ words: [String]) {
            if !words.isEmpty { query[name] = .single(words.joined(separator: dialect.listSeparator)) }
        }
        set("leading_mentions", leadingMentions)
        set("mentions", mentions)
        switch dialect {
        case .appNet:
            query.merge(appNetQuery)
            set("hashtags", hashtags)
            set("links", links)
            set("link_domains", linkDomains)
            set("annotation_types", annotationTypes)
            set("attachment_types", attachmentTypes)
        case .pnut:
            query.merge(["created_after": createdAfter, "created_before": createdBefore, "q": text])
            set("tags", hashtags)
            set("urls", links)
            set("url_domains", linkDomains)
            set("raw_types", dialect.typeNames(annotationTypes))
        }
        for (name, value) in additional { query[name] = .single(value) }
        return query
    }

    private var appNetQuery: QueryParameters {
        [
            "crosspost_domain": crosspostDomain, "crosspost_url": crosspostURL, "has_attachment": hasAttachment.flag,
            "has_checkin": hasCheckin.flag, "has_location": hasLocation.flag,
            "has_oembed_html5video": hasHTML5Video.flag, "has_oembed_photo": hasPhoto.flag,
            "has_oembed_rich": hasRichContent.flag, "has_oembed_video": hasVideo.flag, "index": "complete",
            "is_crosspost": isCrosspost.flag, "is_directed": isDirected.flag, "language": language,
            "place_id": place?.text, "query": text, "text": plainText,
        ]
    }
}

extension Bool? {
    /// The Boolean value as a number for a query (Docs/Protocols/AppNet.md §1.4).
    var flag: Int? { map { $0 ? 1 : 0 } }
}
