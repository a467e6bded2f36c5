internal import HeliumServerKit

/// Ceilings on what App.net keeps and on what clients may hold open.
public struct AppNetMaxima: Hashable, Sendable {
    /// Channels of all users together; a further one is refused with 400. Default: 10,000.
    public var channels = 10_000
    /// Messages of all channels together; a further one is refused with 400. Default: 1,000,000.
    public var messages = 1_000_000
    /// Posts of all users together; a further one is refused with 400. Default: 1,000,000.
    public var posts = 1_000_000
    /// Polls of all users together; a further one is refused with 400. Default: 100,000.
    public var polls = 100_000
    /// Files of all users together; a further one is refused with 507. Default: 100,000.
    public var files = 100_000
    /// The longest body of an upload, files and pictures, in bytes; a longer one is answered with 413.
    /// Default: 16,777,216 (16 MiB).
    public var uploadBytes = 16 * 1024 * 1024
    /// The bytes of one user's files; a further file is refused with 507 (§2.4). Default: 524,288,000 (500 MB).
    public var storageBytes = 500 * 1024 * 1024
    /// The users that one may follow; a further one is refused with 507 (§1.5). Default: 10,000.
    public var following = 10_000
    /// Tokens that are kept; a further one is refused. Default: 100,000.
    public var tokens = 100_000
    /// The objects that one search looks at; a search that would look at more is refused with 400. Objects without the words,
    /// tags and users that the search names are not looked at. Default: 20,000.
    public var searchedObjects = 20_000
    /// The bytes of texts that one search looks at; a search that would look at more is refused with 400.
    /// Default: 8,388,608 (8 MiB).
    public var searchedBytes = 8 * 1024 * 1024

    /// The defaults named at each property.
    public init() {}
}

extension AppNetMaxima {
    func validate() throws(EmbeddedServerError) {
        try ConfigurationCheck.requirePositive([
            ("App.net's channels", channels), ("App.net's messages", messages), ("App.net's posts", posts),
            ("App.net's polls", polls), ("App.net's files", files), ("App.net's uploadBytes", uploadBytes),
            ("App.net's storageBytes", storageBytes), ("App.net's following", following), ("App.net's tokens", tokens),
            ("App.net's searchedObjects", searchedObjects), ("App.net's searchedBytes", searchedBytes),
        ])
    }
}
