/// A user stream (§2.14): what a connection has subscribed to, which outlives the connection for a while.
struct UserStream: Sendable {
    /// One wish to hear of what happens to a list.
    struct Subscription: Hashable, Sendable {
        let id: String
        let endpoint: UserStreamEndpoint
        /// The filter options; the display options are the stream's.
        let filter: GeneralParameters
    }

    let id: String
    /// The row of the token that opened it.
    let token: Int64
    /// For whom events are rendered.
    let viewer: AppNetViewer
    let user: Int64
    var display: GeneralParameters
    var deletesItself: Bool
    var subscriptions: [Subscription] = []
    var outlet: LiveOutlet
}

extension UserStream {
    /// Ceilings and periods of user streams.
    struct Limits: Hashable, Sendable {
        /// Of one token (§2.14).
        var streams = 5
        /// Of all tokens together.
        var allStreams = 2_000
        /// How long a stream without a connection is kept, in microseconds. The page says about 300 seconds, and about
        /// 600 for what can be replayed; this is the longer [choice].
        var idle: Int64 = 600 * 1_000_000
        var replay = ReplayBuffer.Limits()
    }
}
