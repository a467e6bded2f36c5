internal import HeliumCore

/// What answers are to have besides the usual, and what lists are to leave out (§1.8).
///
/// What is `nil` is not sent: the service's default counts, which is `false` unless it says otherwise here.
///
/// ```swift
/// let client = client.with(GeneralParameters(includesAnnotations: true))
/// ```
public struct GeneralParameters: Hashable, Sendable, Codable {
    // MARK: Annotations

    /// Annotations of every object.
    public var includesAnnotations: Bool?
    /// Annotations of users, embedded ones too.
    public var includesUserAnnotations: Bool?
    /// Annotations of posts.
    public var includesPostAnnotations: Bool?
    /// Annotations of channels.
    public var includesChannelAnnotations: Bool?
    /// Annotations of messages.
    public var includesMessageAnnotations: Bool?
    /// Annotations of files.
    public var includesFileAnnotations: Bool?
    /// Annotations of polls; pnut.io only.
    public var includesPollAnnotations: Bool?

    // MARK: Texts and items

    /// `html` beside `text`. The service's default: yes.
    public var includesHTML: Bool?
    /// Items of muted users.
    public var includesMuted: Bool?
    /// Deleted posts and messages in lists. The service's default: yes.
    public var includesDeleted: Bool?
    /// Machine only posts and messages; App.net only.
    public var includesMachineOnly: Bool?
    /// Posts that begin with mentions of people who are not followed. The service's default: yes, but not in the
    /// personal stream.
    public var includesDirectedPosts: Bool?
    /// A sample of those who starred a post.
    public var includesStarredBy: Bool?
    /// A sample of those who reposted a post.
    public var includesReposters: Bool?
    /// Whole users in objects; pnut.io only, whose default is yes.
    public var includesUser: Bool?

    // MARK: Channels and files

    /// The stream marker of channels.
    public var includesMarker: Bool?
    /// Channels without unread messages. The service's default: yes.
    public var includesRead: Bool?
    /// The newest message of channels.
    public var includesRecentMessage: Bool?
    /// Inactive channels in lists.
    public var includesInactive: Bool?
    /// The users of access lists, shortened; pnut.io only.
    public var includesLimitedUsers: Bool?
    /// The types of channels in lists. The service's default: all.
    public var channelTypes: [String]?
    /// The types of channels that lists leave out; pnut.io only.
    public var excludedChannelTypes: [String]?
    /// The types of files in lists. The service's default: all.
    public var fileTypes: [String]?
    /// Incomplete files in lists. The service's default: yes.
    public var includesIncomplete: Bool?
    /// Private files in lists. The service's default: yes.
    public var includesPrivate: Bool?

    /// Parameters that this type doesn't have, by name; sent as they are.
    public var additional: [String: String] = [:]

    /// Nothing besides the service's defaults.
    public init() {}

    /// The parameters that most calls are made with.
    ///
    /// - Parameters:
    ///   - includesAnnotations: Annotations of every object.
    ///   - includesHTML: `html` beside `text`.
    ///   - includesDeleted: Deleted posts and messages in lists.
    ///   - includesMachineOnly: Machine only posts and messages.
    ///   - channelTypes: The types of channels in lists.
    public init(
        includesAnnotations: Bool? = nil,
        includesHTML: Bool? = nil,
        includesDeleted: Bool? = nil,
        includesMachineOnly: Bool? = nil,
        channelTypes: [String]? = nil
    ) {
        self.includesAnnotations = includesAnnotations
        self.includesHTML = includesHTML
        self.includesDeleted = includesDeleted
        self.includesMachineOnly = includesMachineOnly
        self.channelTypes = channelTypes
    }
}
