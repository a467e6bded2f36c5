public import HeliumJSON

extension AppNetUser {
    /// What a user says of himself (§3.3).
    public struct Description: Hashable, Sendable {
        /// The text.
        public var text: String?

        /// The text as HTML, made by the server.
        public var html: String?

        /// The mentions, hashtags and links in the text.
        public var entities: Entities?

        /// The text as it was written, with markdown links (pnut).
        public var markdownText: String?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A description.
        public init(
            text: String? = nil,
            html: String? = nil,
            entities: Entities? = nil,
            markdownText: String? = nil,
            extra: JSONObject = [:]
        ) {
            self.text = text
            self.html = html
            self.entities = entities
            self.markdownText = markdownText
            self.extra = extra
        }
    }
}

extension AppNetUser.Description: AppNetRecord {
    package init() { self.init(text: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("text", &text, sent: .always)
        try visitor.member("html", &html)
        try visitor.value("entities", &entities, sent: .always)
        try visitor.member("markdown_text", &markdownText)
    }
}

extension AppNetUser.Description: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension AppNetUser {
    /// How much there is of a user (§3.3).
    public struct Counts: Hashable, Sendable {
        /// Whom the user follows.
        public var following: Int?

        /// Who follows the user.
        public var followers: Int?

        /// Posts.
        public var posts: Int?

        /// Starred posts; bookmarks on pnut.
        public var stars: Int?

        /// Apps (pnut).
        public var clients: Int?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// Counts.
        public init(
            following: Int? = nil,
            followers: Int? = nil,
            posts: Int? = nil,
            stars: Int? = nil,
            clients: Int? = nil,
            extra: JSONObject = [:]
        ) {
            self.following = following
            self.followers = followers
            self.posts = posts
            self.stars = stars
            self.clients = clients
            self.extra = extra
        }
    }
}

extension AppNetUser.Counts: AppNetRecord {
    package init() { self.init(following: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("following", &following)
        try visitor.member("followers", &followers)
        try visitor.member("posts", &posts)
        try visitor.member("stars", &stars, pnut: .named("bookmarks"))
        try visitor.member("clients", &clients)
    }
}

extension AppNetUser.Counts: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension AppNetUser {
    /// What kind of user it is (§3.3).
    public struct Kind: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// The name as the service has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A person.
        public static let human = Self(rawValue: "human")

        /// A feed.
        public static let feed = Self(rawValue: "feed")

        /// A program: it may follow and mention only who follows it.
        public static let bot = Self(rawValue: "bot")
    }
}

extension AppNetUser.Kind: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {
    /// The name.
    public var description: String { rawValue }

    /// The name as the service has it.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Reads a text.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
