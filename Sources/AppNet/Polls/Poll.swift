public import Foundation
public import HeliumCore
public import HeliumJSON

/// A poll: a question with several options; pnut.io only (Docs/Protocols/AppNet.md §6.2).
public struct Poll: Hashable, Sendable {
    /// A poll's id.
    public typealias ID = AppNetID<Poll>

    /// The id.
    public var id: ID?

    /// The question.
    public var prompt: String?

    /// The purpose of the poll, as a reverse domain name.
    public var type: String?

    /// The options to choose from.
    public var options: [Option]?

    /// The maximum number of options that one user may choose (`max_options`).
    public var maximumOptions: Int?

    /// Whether the choices of individual users are hidden.
    public var isAnonymous: Bool?

    /// Whether everyone may respond.
    public var isPublic: Bool?

    /// The date at which the poll closes or closed.
    public var closedAt: Date?

    /// The time until the poll closes, in minutes. Only sent.
    public var duration: Int?

    /// The creation date.
    public var createdAt: Date?

    /// The token that grants the right to see the poll and to respond to it (`poll_token`).
    public var token: Secret?

    /// Whether the token's user has responded.
    public var youResponded: Bool?

    /// The creator.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// The creator's id, if `user` is missing.
    public var userID: AppNetUser.ID?

    /// The app that created it.
    public var source: ClientSource?

    /// The annotations; `nil` if the request did not ask for them.
    public var annotations: [Annotation]?

    /// The position of the item in its list (`pagination_id`). Use the metadata of the response for paging instead
    /// (Docs/Protocols/AppNet.md §1.6).
    public var paginationID: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a poll with these members.
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

extension Poll: Codable, JSONReadable {}

extension Poll {
    /// An option of a poll.
    public struct Option: Hashable, Sendable {
        /// The position among the options, counted from 1.
        public var position: Int?

        /// The text.
        public var text: String?

        /// The number of users who chose it (`respondents`).
        public var respondentCount: Int?

        /// The ids of users who chose it.
        public var respondentIDs: [AppNetUser.ID]?

        /// Whether the token's user chose it.
        public var isYourResponse: Bool?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates an option with these members.
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

extension Poll.Option: Codable, JSONReadable {}
