public import HeliumCore
public import HeliumJSON

/// A user's account (§9): as a feed's owner little but the login. Its descriptions don't show the account's key.
public struct User: Hashable, Sendable {
    /// The name that the account signs in with, which is also its id in URLs.
    public var login: String?

    /// Whom to write to.
    public var email: String?

    /// The whole name.
    public var fullName: String?

    /// The first name.
    public var firstName: String?

    /// The last name.
    public var lastName: String?

    /// What the user says about themselves.
    public var about: String?

    /// The organisation.
    public var organisation: String?

    /// A page of theirs.
    public var website: String?

    /// The time zone, as a name: `London`.
    public var timeZone: String?

    /// The account's key.
    public var apiKey: Secret?

    /// What the account is.
    public var roles: [String]?

    /// What accounts made by this one may be.
    public var creatableRoles: [String]?

    /// Whether mail is delivered.
    public var deliversEmail: Bool?

    /// Whether the page shows what they do.
    public var displaysActivity: Bool?

    /// Whether the page shows who they are.
    public var displaysInformation: Bool?

    /// Whether the page shows counts.
    public var displaysStatistics: Bool?

    /// Whether they get circulars.
    public var isSubscribedToMailings: Bool?

    /// Whether they get mail of the forum.
    public var receivesForumNotifications: Bool?

    /// How many feeds there are.
    public var feedsCount: Int?

    /// How many datastreams there are.
    public var datastreamsCount: Int?

    /// How many datastreams there may be.
    public var datastreamsAllowed: Int?

    /// How many calls came today.
    public var dailyAPIAccessCount: Int?

    /// How many calls ever came.
    public var totalAPIAccessCount: Int?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A user of these members.
    public init(
        login: String? = nil,
        email: String? = nil,
        fullName: String? = nil,
        firstName: String? = nil,
        lastName: String? = nil,
        about: String? = nil,
        organisation: String? = nil,
        website: String? = nil,
        timeZone: String? = nil,
        apiKey: Secret? = nil,
        roles: [String]? = nil,
        creatableRoles: [String]? = nil,
        deliversEmail: Bool? = nil,
        displaysActivity: Bool? = nil,
        displaysInformation: Bool? = nil,
        displaysStatistics: Bool? = nil,
        isSubscribedToMailings: Bool? = nil,
        receivesForumNotifications: Bool? = nil,
        feedsCount: Int? = nil,
        datastreamsCount: Int? = nil,
        datastreamsAllowed: Int? = nil,
        dailyAPIAccessCount: Int? = nil,
        totalAPIAccessCount: Int? = nil,
        extra: JSONObject = [:]
    ) {
        self.login = login
        self.email = email
        self.fullName = fullName
        self.firstName = firstName
        self.lastName = lastName
        self.about = about
        self.organisation = organisation
        self.website = website
        self.timeZone = timeZone
        self.apiKey = apiKey
        self.roles = roles
        self.creatableRoles = creatableRoles
        self.deliversEmail = deliversEmail
        self.displaysActivity = displaysActivity
        self.displaysInformation = displaysInformation
        self.displaysStatistics = displaysStatistics
        self.isSubscribedToMailings = isSubscribedToMailings
        self.receivesForumNotifications = receivesForumNotifications
        self.feedsCount = feedsCount
        self.datastreamsCount = datastreamsCount
        self.datastreamsAllowed = datastreamsAllowed
        self.dailyAPIAccessCount = dailyAPIAccessCount
        self.totalAPIAccessCount = totalAPIAccessCount
        self.extra = extra
    }
}

extension User: CosmRecord {
    init() { self.init(login: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        // §9 does not say which members an account may set of those that it manages: requests contain all.
        try visitor.member("login", \.login, .client)
        try visitor.member("email", \.email, .client)
        try visitor.member("full_name", \.fullName, .client)
        try visitor.member("first_name", \.firstName, .client)
        try visitor.member("last_name", \.lastName, .client)
        try visitor.member("about", \.about, .client)
        try visitor.member("organisation", \.organisation, .client)
        try visitor.member("website", \.website, .client)
        try visitor.member("time_zone", \.timeZone, .client)
        try visitor.member("api_key", \.apiKey.text, .client)
        try visitor.list("roles", of: "role", \.roles, .client)
        try visitor.list("creatable_roles", of: "creatable_role", \.creatableRoles, .client)
        try visitor.member("deliver_email", \.deliversEmail, .client)
        try visitor.member("display_activity", \.displaysActivity, .client)
        try visitor.member("display_information", \.displaysInformation, .client)
        try visitor.member("display_stats", \.displaysStatistics, .client)
        try visitor.member("subscribed_to_mailings", \.isSubscribedToMailings, .client)
        try visitor.member("receive_forum_notifications", \.receivesForumNotifications, .client)
        try visitor.member("feeds_count", \.feedsCount, .client)
        try visitor.member("datastreams_count", \.datastreamsCount, .client)
        try visitor.member("datastreams_allowed", \.datastreamsAllowed, .client)
        try visitor.member("daily_api_access_count", \.dailyAPIAccessCount, .client)
        try visitor.member("total_api_access_count", \.totalAPIAccessCount, .client)
    }
}

extension User: Codable, JSONReadable {
    /// Reads a user by the leniency table of §10.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a user by the leniency table of §10.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there, the key itself too.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
