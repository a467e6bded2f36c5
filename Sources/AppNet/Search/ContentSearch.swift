public import Foundation
internal import HeliumCore

/// What posts or messages to look for (§2.12): all that is said has to hold. Values go without `#`, `@` and `www.`.
public struct ContentSearch: Hashable, Sendable {
    /// Words, as people write them: `"phrase"`, `+a -b`, `a OR b`, `#tag`, `@name`.
    public var text: String?

    /// Words of texts alone; App.net only.
    public var plainText: String?

    /// The order. The service's default: by id; of pnut.io's messages by relevance.
    public var order: Order?

    /// Hashtags.
    public var hashtags: [String] = []
    /// Addresses of links.
    public var links: [String] = []
    /// Hosts of links.
    public var linkDomains: [String] = []
    /// Names of those mentioned.
    public var mentions: [String] = []
    /// Names of those mentioned at the beginning.
    public var leadingMentions: [String] = []
    /// Types of annotations.
    public var annotationTypes: [String] = []
    /// Types of attached files; App.net only.
    public var attachmentTypes: [String] = []

    /// A place; App.net only.
    public var place: Place.ID?
    /// A language, ISO 639-1; App.net only.
    public var language: String?
    /// The app that it was written with.
    public var clientID: String?
    /// Its writer.
    public var creator: AppNetUser.ID?
    /// What it replies to: an id of a post or message.
    public var replyTo: String?
    /// Its thread: an id of a post or message.
    public var thread: String?

    /// Whether it is a reply.
    public var isReply: Bool?
    /// Whether it begins with a mention; App.net only, as all that follows.
    public var isDirected: Bool?
    /// Whether it has a place.
    public var hasLocation: Bool?
    /// Whether it is a check-in.
    public var hasCheckin: Bool?
    /// Whether a file is attached.
    public var hasAttachment: Bool?
    /// Whether it has a photo.
    public var hasPhoto: Bool?
    /// Whether it has a video.
    public var hasVideo: Bool?
    /// Whether it has a video of HTML5.
    public var hasHTML5Video: Bool?
    /// Whether it has rich content.
    public var hasRichContent: Bool?
    /// Where it was posted too; posts only.
    public var crosspostURL: String?
    /// The host where it was posted too; posts only.
    public var crosspostDomain: String?
    /// Whether it was posted elsewhere too; posts only.
    public var isCrosspost: Bool?

    /// The earliest time of creation; pnut.io only.
    public var createdAfter: Date?
    /// The latest time of creation; pnut.io only.
    public var createdBefore: Date?

    /// Parameters that this type doesn't have, by name; sent as they are.
    public var additional: [String: String] = [:]

    /// A search for words; `nil` for filters alone.
    public init(_ text: String? = nil) { self.text = text }

    /// The order of what is found, as a name from a list that may grow.
    public struct Order: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// An order by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The newest first.
        public static let id = Self(rawValue: "id")
        /// What fits best first; App.net only.
        public static let score = Self(rawValue: "score")
        /// What fits best first; pnut.io only.
        public static let relevance = Self(rawValue: "relevance")
    }
}

extension ContentSearch {
    /// As it stands in a query.
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
            set("raw_types", annotationTypes)
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
    /// As flags stand in queries (§1.4).
    var flag: Int? { map { $0 ? 1 : 0 } }
}
