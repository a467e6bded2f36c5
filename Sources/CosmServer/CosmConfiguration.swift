public import HeliumServerKit

/// How the embedded server's Cosm (v2 REST and live sockets) behaves. Sections are those of the Cosm protocol page.
public struct CosmConfiguration: Sendable {
    /// The path before every route, with a slash at its start and none at its end. Default: `/v2`.
    public var prefix = "/v2"
    /// The key that may do everything to the owner's account; 8 to 128 letters, digits, `-` or `_`. With a store it is
    /// kept there, and stays what it was unless one is given here. Default: nil, a random one for each new store.
    /// Never printed but in the ready line.
    public var masterKey: String?
    /// The login of the account to which ``masterKey`` belongs. Default: `helium`.
    public var owner = "helium"
    /// The id of a new store's first feed; at least 1. Default: 1.
    public var firstFeedID = 1
    /// The id of a new store's first trigger; at least 1. Default: 1.
    public var firstTriggerID = 1
    /// The port of the raw TCP socket (§14); 0 takes a free one, which the ready line tells. Default: 0.
    public var tcpPort = 0
    /// Limits on requests. Default: nil, none.
    public var rateLimit: CosmRateLimit?
    /// The time of day. Default: the machine's. A trigger on frozen waits for the length that is left by this clock, in
    /// the machine's time; ``CosmControl/setClockOffset(_:)`` makes it look again.
    public var clock = ServerClock.system
    /// Ceilings on what is kept and on what may be open.
    public var maxima = CosmMaxima()

    /// The defaults named at each property.
    public init() {}
}

extension CosmConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The prefix and the owner; never the key.
    public var description: String { "Cosm at \(prefix) of \(owner)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows what can be shown: `dump` and test failures must not print the key.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "prefix": prefix, "owner": owner, "tcpPort": tcpPort,
                "rateLimit": rateLimit as Any, "maxima": maxima,
            ]
        )
    }
}

extension CosmConfiguration: ServerProtocolConfiguration {
    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try ConfigurationCheck.require(
            prefix.hasPrefix("/") && !prefix.hasSuffix("/"),
            "Cosm's prefix is a path without a slash at its end"
        )
        if let masterKey {
            try ConfigurationCheck.require(
                UserRules.isName(masterKey, length: 8...128),
                "the master key has 8 to 128 letters, digits, - or _"
            )
        }
        try ConfigurationCheck.require(
            UserRules.isLogin(owner),
            "the owner's login has 1 to 64 letters, digits, - or _"
        )
        try ConfigurationCheck.require(firstFeedID > 0 && firstTriggerID > 0, "the first ids are at least 1")
        try ConfigurationCheck.requirePort(tcpPort)
        try rateLimit?.validate()
        try maxima.validate()
    }
}
