/// A user stream: the subscriptions of a connection, which are kept for some time after the connection ends
/// (Docs/Protocols/AppNet.md §2.14).
struct UserStream: Sendable {
    /// A subscription to the changes of a list.
    struct Subscription: Hashable, Sendable {
        let id: String
        let endpoint: UserStreamEndpoint
        /// The filter options. The display options are those of the stream.
        let filter: GeneralParameters
        /// The last write before the subscription, whose events the response to the call contains.
        let write: Int
    }

    let id: String
    /// The row id of the token that opened the stream.
    let token: Int64
    /// The viewer that events are rendered for.
    let viewer: AppNetViewer
    let user: Int64
    /// The numeric address of the client that opened the stream.
    let address: String
    var display: GeneralParameters
    var deletesItself: Bool
    var subscriptions: [Subscription] = []
    var output: StreamOutput
}

extension UserStream {
    /// The limits and timeouts of user streams.
    struct Limits: Hashable, Sendable {
        /// The maximum number of streams of a token (Docs/Protocols/AppNet.md §2.14).
        var streams = 5
        /// The maximum numbers of streams of a user with any tokens, of an app's users together, and of a client's
        /// address (``ServerLimits/sharePerAddress``). None of them can use up the streams of the others.
        var streamsOfUser = 25
        var streamsOfApp = 1_000
        var streamsOfAddress = 1_500
        /// The maximum number of streams of all tokens.
        var allStreams = 2_000
        /// The time for which a stream without a connection is kept, in microseconds. The API specifies about 300
        /// seconds, and about 600 seconds for the replay of messages. This value is the longer one.
        var idle: Int64 = 600 * 1_000_000
        var replay = ReplayBuffer.Limits()
    }
}
