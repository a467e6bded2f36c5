/// A change by a committed write, for streams (Docs/Protocols/AppNet.md §2.13, §2.14).
struct AppNetEvent: Hashable, Sendable {
    /// The types of events (Docs/Protocols/AppNet.md §2.13).
    enum Kind: String, CaseIterable, Sendable {
        case post, star
        case userFollow = "user_follow"
        case mute, block
        case streamMarker = "stream_marker"
        case message, channel
        case channelSubscription = "channel_subscription"
        case token, file, user
        /// Only in pnut.io (Docs/Protocols/AppNet.md §6.3).
        case poll
        case userPresence = "user_presence"
        case userChannelPresence = "user_channel_presence"
    }

    var kind: Kind
    /// The object: the id of the post, message, channel, file or user itself; the post of a star; the user who is
    /// followed, muted or blocked; the channel of a subscription; the row id of a token; 0 for a marker.
    var object: Int64
    /// The channel of a message, a subscription or a channel's marker.
    var channel: Int64?
    /// The user who made the change.
    var actor: Int64?
    /// Whether the event is the opposite action or a deletion.
    var isDeleted = false
    /// The name of a stream marker.
    var marker: String?
    /// The version of a post after the change; `nil` for a post that was not revised (Docs/Protocols/AppNet.md §6.3).
    var revision: Int?
    /// Other affected users: subscribers of the channel at the time of the write, and mentioned users.
    var users: [Int64] = []

    /// Whether rows of a deleted object may remain to be deleted (``RowRemoval``).
    var mayLeaveRows: Bool { isDeleted && (kind == .post || kind == .file) }
}
