public import HeliumCore
public import HeliumJSON

/// A user account (Docs/Protocols/Cosm.md §9). As the owner of a feed it has little more than the login. Its
/// descriptions do not show the account's key.
public struct User: Hashable, Sendable {
    /// The name that the account signs in with. It is also the id in URLs.
    public var login: String?

    /// The email address.
    public var email: String?

    /// The full name.
    public var fullName: String?

    /// The first name.
    public var firstName: String?

    /// The last name.
    public var lastName: String?

    /// The text that the user wrote about themselves.
    public var about: String?

    /// The organization.
    public var organisation: String?

    /// The URL of the user's page.
    public var website: String?

    /// The name of the time zone: `London`.
    public var timeZone: String?

    /// The key of the account.
    public var apiKey: Secret?

    /// The roles of the account.
    public var roles: [String]?

    /// The roles that accounts created by this one may have.
    public var creatableRoles: [String]?

    /// Whether the account receives email.
    public var deliversEmail: Bool?

    /// Whether the user's page shows the user's activity.
    public var displaysActivity: Bool?

    /// Whether the user's page shows information about the user.
    public var displaysInformation: Bool?

    /// Whether the user's page shows statistics.
    public var displaysStatistics: Bool?

    /// Whether the user receives mailings.
    public var isSubscribedToMailings: Bool?

    /// Whether the user receives email of the forum.
    public var receivesForumNotifications: Bool?

    /// The number of feeds.
    public var feedsCount: Int?

    /// The number of datastreams.
    public var datastreamsCount: Int?

    /// The maximum number of datastreams.
    public var datastreamsAllowed: Int?

    /// The number of calls of the current day.
    public var dailyAPIAccessCount: Int?

    /// The number of all calls.
    public var totalAPIAccessCount: Int?

    /// The unknown members of the document. They are encoded unless a property has the same name.
    public var extra = JSONObject()

    /// Creates a user.
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
        // Docs/Protocols/Cosm.md §9 does not state which members of managed accounts can be set. Requests contain all
        // members.
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

extension User: Codable, JSONReadable {}
