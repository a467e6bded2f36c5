internal import HeliumServerKit

/// Limits on the data that App.net stores and on the work that clients can cause.
public struct AppNetMaxima: Hashable, Sendable {
    /// The maximum number of channels of all users. The response to a request for another is 400. Default: 10,000.
    public var channels = 10_000
    /// The maximum number of messages of all channels. The response to a request for another is 400. Default:
    /// 1,000,000.
    public var messages = 1_000_000
    /// The maximum number of posts of all users. The response to a request for another is 400. Default: 1,000,000.
    public var posts = 1_000_000
    /// The maximum number of polls of all users. The response to a request for another is 400. Default: 100,000.
    public var polls = 100_000
    /// The maximum number of files of all users. The response to a request for another is 507. Default: 100,000.
    public var files = 100_000
    /// The maximum size of the body of an upload in bytes, for files and pictures. The response to a longer one is 413.
    /// Default: 16,777,216 (16 MiB).
    public var uploadBytes = 16 * 1024 * 1024
    /// The maximum size of one user's files in bytes. The response to a further file is 507 (Docs/Protocols/AppNet.md
    /// §2.4). Default: 524,288,000 (500 MB).
    public var storageBytes = 500 * 1024 * 1024
    /// The maximum number of users that one user can follow. The response to a further one is 507
    /// (Docs/Protocols/AppNet.md §1.5). Default: 10,000.
    public var following = 10_000
    /// The maximum number of valid tokens. Requests for further tokens are rejected. Default: 100,000.
    public var tokens = 100_000
    /// The maximum number of valid tokens of one user for one app, and of an app's own tokens. A further one replaces the
    /// oldest, which is revoked. Default: 200.
    public var tokensPerUser = 200
    /// The maximum number of objects that a search examines. The response to a search that would examine more is 400.
    /// Objects without the words, tags and users of the search are not examined. Default: 20,000.
    public var searchedObjects = 20_000
    /// The maximum size of the texts that a search examines in bytes. The response to a search that would examine more
    /// is 400. Default: 8,388,608 (8 MiB).
    public var searchedBytes = 8 * 1024 * 1024

    /// Creates the limits with the defaults named at each property.
    public init() {}
}

extension AppNetMaxima {
    func validate() throws(EmbeddedServerError) {
        try ConfigurationCheck.requirePositive([
            ("App.net's channels", channels), ("App.net's messages", messages), ("App.net's posts", posts),
            ("App.net's polls", polls), ("App.net's files", files), ("App.net's uploadBytes", uploadBytes),
            ("App.net's storageBytes", storageBytes), ("App.net's following", following), ("App.net's tokens", tokens),
            ("App.net's tokensPerUser", tokensPerUser),
            ("App.net's searchedObjects", searchedObjects), ("App.net's searchedBytes", searchedBytes),
        ])
    }
}
