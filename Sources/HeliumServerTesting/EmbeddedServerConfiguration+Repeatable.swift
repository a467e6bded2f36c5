public import HeliumCore
public import HeliumServer

extension ServerClock {
    /// Creates a clock with the wall time of a client's clock, such as a `TestClock`.
    public init(_ clock: any HeliumClock) {
        self = .microseconds {
            // Far beyond the year 9999, at which the server's clock ends.
            let limit = Duration.seconds(1 << 40)
            let (seconds, attoseconds) = min(max(clock.wallTime, .zero - limit), limit).components
            return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        }
    }
}

extension EmbeddedServerConfiguration {
    /// Returns the configuration of a server whose responses depend only on the requests, a clock and a random source.
    ///
    /// All protocols take their time from `clock`. The store is in memory and runs on the thread of the request.
    /// App.net uses the accounts ``HeliumServer/AppNetAccounts/repeatable``.
    public static func repeatable(clock: any HeliumClock, random: RandomSource) -> Self {
        var configuration = Self()
        configuration.random = random
        configuration.usesInlineStore = true
        configuration.middleware.clock = ServerClock(clock)
        configuration.cosm.clock = ServerClock(clock)
        configuration.appNet.clock = ServerClock(clock)
        configuration.conAir.clock = ServerClock(clock)
        configuration.appNet.accounts = .repeatable
        return configuration
    }
}

extension AppNetAccounts {
    /// The users `alice` and `bob` with the tokens `alice-token` and `bob-token`, and the app `helium` with the token
    /// `app-token` and the secret `helium-secret`. The users have no passwords because password hashes are slow to
    /// compute and random.
    public static let repeatable: Self = {
        var app = App(clientID: "helium", clientSecret: "helium-secret")
        app.tokens = ["app-token"]
        return Self(
            users: [User(name: "alice", tokens: ["alice-token"]), User(name: "bob", tokens: ["bob-token"])],
            apps: [app]
        )
    }()
}
