/// Something that a committed write did, for streams (§2.13, §2.14).
struct AppNetEvent: Hashable, Sendable {
    /// The types of §2.13.
    enum Kind: String, CaseIterable, Sendable {
        case post, star
        case userFollow = "user_follow"
        case mute, block
        case streamMarker = "stream_marker"
        case message, channel
        case channelSubscription = "channel_subscription"
        case token, file, user
        /// Only of pnut.io (AppNet.md §6.3).
        case poll
        case userPresence = "user_presence"
        case userChannelPresence = "user_channel_presence"
    }

    var kind: Kind
    /// The object: a post's, message's, channel's, file's or user's own id; the post of a star; the user who is
    /// followed, muted or blocked; the channel of a subscription; the row of a token; 0 for a marker.
    var object: Int64
    /// The channel of a message, a subscription or a channel's marker.
    var channel: Int64?
    /// Who did it.
    var actor: Int64?
    /// The opposite action, or a deletion.
    var isDeleted = false
    /// The name of a stream marker.
    var marker: String?
    /// Which version of a post it made; `nil` for one that is not revised (AppNet.md §6.3).
    var revision: Int?
    /// Others whom it concerns: subscribers of the channel at the time of the write, people mentioned.
    var users: [Int64] = []
}
