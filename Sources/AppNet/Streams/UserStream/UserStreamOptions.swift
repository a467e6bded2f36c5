internal import HeliumCore

/// How a user stream is kept.
public struct UserStreamOptions: Sendable {
    /// How its connection is made and kept.
    public var connection = StreamConnectionOptions()

    /// The stream's name with the service (§2.14); App.net only. A stream of that name that is still alive is gone on
    /// with, and another consumer of it is thrown out. Default: `nil`, a random one.
    public var connectionID: String?

    /// Whether the service forgets the stream as soon as its connection is lost: then nothing is replayed, and what was
    /// missed is read from the lists only. Default: no. pnut.io always does.
    public var isAutoDeleted = false

    /// What the values carry: annotations, HTML and so on, of events and of what is read. Which items come is up to
    /// each subscription. Default: nothing besides what the client asks for.
    public var parameters = GeneralParameters()

    /// How long a new subscription waits for its list, connecting included. Default: 30 seconds.
    public var subscribeTimeout: Duration = .seconds(30)

    /// The defaults.
    public init() {}
}

extension UserStreamOptions {
    /// The parameters that belong to a connection (§2.14); all others belong to the subscriptions.
    private static let displayParameters = [
        "include_annotations", "include_user_annotations", "include_post_annotations", "include_channel_annotations",
        "include_message_annotations", "include_file_annotations", "include_starred_by", "include_reposters",
        "include_marker", "include_recent_message", "include_html", "include_raw", "include_user_raw",
        "include_post_raw", "include_channel_raw", "include_message_raw", "include_file_raw", "include_poll_raw",
        "include_bookmarked_by", "include_reposted_by", "include_user",
    ]

    /// What the values of a stream are to carry, as it stands in the query of its connection.
    static func displayQuery(_ client: AppNetClient) -> [(name: String, value: String)] {
        let query = client.parameters.query(in: client.dialect)
        return displayParameters.compactMap { name in
            guard case .single(let value)? = query[name] else { return nil }
            return (name, value)
        }
    }
}
