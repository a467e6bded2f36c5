public import Foundation
public import HeliumCore
public import HeliumJSON

/// A question with answers to choose from (§6.2, pnut).
public struct Poll: Hashable, Sendable {
    /// A poll's id.
    public typealias ID = AppNetID<Poll>

    /// The id.
    public var id: ID?

    /// The question.
    public var prompt: String?

    /// What it is for: a reverse domain name.
    public var type: String?

    /// The answers.
    public var options: [Option]?

    /// How many answers one may choose (`max_options`).
    public var maximumOptions: Int?

    /// Whether nobody sees who chose what.
    public var isAnonymous: Bool?

    /// Whether everybody may answer.
    public var isPublic: Bool?

    /// When it ends, or ended.
    public var closedAt: Date?

    /// How long it is open, in minutes. Only sent.
    public var duration: Int?

    /// When it was asked.
    public var createdAt: Date?

    /// The right to see the poll and to answer (`poll_token`).
    public var token: Secret?

    /// Whether you have answered.
    public var youResponded: Bool?

    /// Who asks.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// Who asks, where `user` is missing.
    public var userID: AppNetUser.ID?

    /// The app that it was made with.
    public var source: ClientSource?

    /// The annotations, where they were asked for.
    public var annotations: [Annotation]?

    /// The item's place in the list it came in (`pagination_id`); page by the meta data, not by this (§1.6).
    public var paginationID: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A poll of these members.
    public init(
        id: ID? = nil,
        prompt: String? = nil,
        type: String? = nil,
        options: [Option]? = nil,
        maximumOptions: Int? = nil,
        isAnonymous: Bool? = nil,
        isPublic: Bool? = nil,
        closedAt: Date? = nil,
        duration: Int? = nil,
        createdAt: Date? = nil,
        token: Secret? = nil,
        youResponded: Bool? = nil,
        user: AppNetUser? = nil,
        userID: AppNetUser.ID? = nil,
        source: ClientSource? = nil,
        annotations: [Annotation]? = nil,
        paginationID: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.prompt = prompt
        self.type = type
        self.options = options
        self.maximumOptions = maximumOptions
        self.isAnonymous = isAnonymous
        self.isPublic = isPublic
        self.closedAt = closedAt
        self.duration = duration
        self.createdAt = createdAt
        self.token = token
        self.youResponded = youResponded
        self.user = user
        self.userID = userID
        self.source = source
        self.annotations = annotations
        self.paginationID = paginationID
        self.extra = extra
    }
}

extension Poll: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.member("prompt", &prompt)
        try visitor.member("type", &type)
        try visitor.value("options", &options)
        try visitor.member("max_options", &maximumOptions)
        try visitor.member("is_anonymous", &isAnonymous)
        try visitor.member("is_public", &isPublic)
        try visitor.member("closed_at", &closedAt)
        try visitor.member("duration", &duration)
        try visitor.member("created_at", &createdAt)
        try visitor.secret("poll_token", &token)
        try visitor.member("you_responded", &youResponded)
        try visitor.box("user", &boxedUser)
        try visitor.member("user_id", &userID)
        try visitor.value("source", &source)
        try visitor.value("annotations", &annotations)
        try visitor.member("pagination_id", &paginationID)
    }
}

extension Poll: Codable, JSONReadable {
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

extension Poll {
    /// An answer of a poll.
    public struct Option: Hashable, Sendable {
        /// Which it is, from 1.
        public var position: Int?

        /// The answer.
        public var text: String?

        /// How many chose it (`respondents`).
        public var respondentCount: Int?

        /// Who chose it.
        public var respondentIDs: [AppNetUser.ID]?

        /// Whether you chose it.
        public var isYourResponse: Bool?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// An answer.
        public init(
            position: Int? = nil,
            text: String? = nil,
            respondentCount: Int? = nil,
            respondentIDs: [AppNetUser.ID]? = nil,
            isYourResponse: Bool? = nil,
            extra: JSONObject = [:]
        ) {
            self.position = position
            self.text = text
            self.respondentCount = respondentCount
            self.respondentIDs = respondentIDs
            self.isYourResponse = isYourResponse
            self.extra = extra
        }
    }
}

extension Poll.Option: AppNetRecord {
    package init() { self.init(position: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("position", &position)
        try visitor.member("text", &text)
        try visitor.member("respondents", &respondentCount)
        try visitor.list("respondent_ids", &respondentIDs)
        try visitor.member("is_your_response", &isYourResponse)
    }
}

extension Poll.Option: Codable, JSONReadable {
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
