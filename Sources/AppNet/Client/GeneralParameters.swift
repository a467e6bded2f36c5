internal import HeliumCore

/// The optional contents of responses and lists (Docs/Protocols/AppNet.md §1.8).
///
/// A property that is `nil` is not sent, so the service's default applies. It is `false` unless documented otherwise
/// here.
///
/// ```swift
/// let client = client.with(GeneralParameters(includesAnnotations: true))
/// ```
public struct GeneralParameters: Hashable, Sendable, Codable {
    // MARK: Annotations

    /// Whether responses include the annotations of every object.
    public var includesAnnotations: Bool?
    /// Whether responses include the annotations of users, including embedded users.
    public var includesUserAnnotations: Bool?
    /// Whether responses include the annotations of posts.
    public var includesPostAnnotations: Bool?
    /// Whether responses include the annotations of channels.
    public var includesChannelAnnotations: Bool?
    /// Whether responses include the annotations of messages.
    public var includesMessageAnnotations: Bool?
    /// Whether responses include the annotations of files.
    public var includesFileAnnotations: Bool?
    /// Whether responses include the annotations of polls; pnut.io only.
    public var includesPollAnnotations: Bool?

    // MARK: Texts and items

    /// Whether responses include `html` in addition to `text`. The service's default is `true`.
    public var includesHTML: Bool?
    /// Whether lists include the items of muted users.
    public var includesMuted: Bool?
    /// Whether lists include deleted posts and messages. The service's default is `true`.
    public var includesDeleted: Bool?
    /// Whether lists include machine-only posts and messages; App.net only.
    public var includesMachineOnly: Bool?
    /// Whether lists include posts that begin with mentions of users who are not followed.
    ///
    /// The service's default is `true`, except in the personal stream.
    public var includesDirectedPosts: Bool?
    /// Whether posts include a sample of the users who starred them.
    public var includesStarredBy: Bool?
    /// Whether posts include a sample of the users who reposted them.
    public var includesReposters: Bool?
    /// Whether objects include complete users; pnut.io only, where the default is `true`.
    public var includesUser: Bool?

    // MARK: Channels and files

    /// Whether channels include their stream marker.
    public var includesMarker: Bool?
    /// Whether lists include channels without unread messages. The service's default is `true`.
    public var includesRead: Bool?
    /// Whether channels include their newest message.
    public var includesRecentMessage: Bool?
    /// Whether lists include inactive channels.
    public var includesInactive: Bool?
    /// Whether access lists include their users in a short form; pnut.io only.
    public var includesLimitedUsers: Bool?
    /// The types of the channels that lists include. The service's default is all types.
    public var channelTypes: [String]?
    /// The types of the channels that lists leave out; pnut.io only.
    public var excludedChannelTypes: [String]?
    /// The types of the files that lists include. The service's default is all types.
    public var fileTypes: [String]?
    /// Whether lists include incomplete files. The service's default is `true`.
    public var includesIncomplete: Bool?
    /// Whether lists include private files. The service's default is `true`.
    public var includesPrivate: Bool?

    /// The parameters without a property in this type, by name. They are sent unchanged.
    public var additional: [String: String] = [:]

    /// Creates parameters with the values that most calls use. Without arguments, everything is left to the service's
    /// defaults.
    ///
    /// - Parameters:
    ///   - includesAnnotations: Whether responses include the annotations of every object.
    ///   - includesHTML: Whether responses include `html` in addition to `text`.
    ///   - includesDeleted: Whether lists include deleted posts and messages.
    ///   - includesMachineOnly: Whether lists include machine-only posts and messages.
    ///   - channelTypes: The types of the channels that lists include.
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
