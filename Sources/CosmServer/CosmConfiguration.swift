public import HeliumServerKit

/// The configuration of the embedded server's Cosm: the v2 REST API and the live sockets (Docs/Protocols/Cosm.md).
public struct CosmConfiguration: Sendable {
    /// The path prefix of all routes. It begins with a slash and does not end with one. Default: `/v2`.
    public var prefix = "/v2"
    /// The key with all permissions for the owner's account: 8 to 128 letters, digits, `-` or `_`.
    ///
    /// A store keeps its key until another one is set here. Default: `nil`, a random key for each new store. It is only
    /// printed in the ready line.
    public var masterKey: String?
    /// The login of the account that ``masterKey`` belongs to. Default: `helium`.
    public var owner = "helium"
    /// The id of the first feed of a new store, from 1 to 4,611,686,018,427,387,904 (2^62). Default: 1.
    public var firstFeedID = 1
    /// The id of the first trigger of a new store, from 1 to 4,611,686,018,427,387,904 (2^62). Default: 1.
    public var firstTriggerID = 1
    /// The port of the raw TCP socket (Docs/Protocols/Cosm.md §14). 0 selects a free port, which the ready line
    /// contains. Default: 0.
    public var tcpPort = 0
    /// The rate limits of requests. Default: `nil`, no limits.
    public var rateLimit: CosmRateLimit?
    /// A Boolean value that indicates whether triggers may send to addresses of the server's machine and of local
    /// networks.
    ///
    /// If it is `false`, a URL with such an address is rejected with 422, and a name that resolves to one is not
    /// connected to. Private, link-local, shared, multicast and reserved addresses of IPv4 and IPv6 are local, and so is
    /// each address at which a cloud serves the metadata of a machine. Set it to `true` for tests whose receiver listens on `127.0.0.1`; everyone with a key can then make the server send
    /// requests to services that rely on being unreachable from outside. Default: `false`.
    public var allowsLocalTriggerTargets = false
    /// The clock of the server. Default: the system clock.
    ///
    /// The timer of triggers on `frozen` computes its delay with this clock and sleeps in the system's time.
    /// ``CosmControl/setClockOffset(_:)`` restarts it.
    public var clock = ServerClock.system
    /// The limits on stored data and open connections.
    public var maxima = CosmMaxima()

    /// Creates a configuration with the default values.
    public init() {}
}

extension CosmConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The prefix and the owner, without the key.
    public var description: String { "Cosm at \(prefix) of \(owner)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The members without the key, so that `dump` and test failures do not print it.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "prefix": prefix, "owner": owner, "tcpPort": tcpPort,
                "allowsLocalTriggerTargets": allowsLocalTriggerTargets,
                "rateLimit": rateLimit as Any, "maxima": maxima,
            ]
        )
    }
}

extension CosmConfiguration: ServerProtocolConfiguration {
    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try ConfigurationCheck.require(
            prefix.hasPrefix("/") && !prefix.hasSuffix("/"),
            "Cosm's prefix must be a path without a slash at its end"
        )
        if let masterKey {
            try ConfigurationCheck.require(
                UserRules.isName(masterKey, length: 8...128),
                "the master key must have 8 to 128 letters, digits, - or _"
            )
        }
        try ConfigurationCheck.require(
            UserRules.isLogin(owner),
            "the owner's login must have 1 to 64 letters, digits, - or _"
        )
        // Beyond the range, the server would soon have no ids left.
        let firstIDs = 1...(1 << 62)
        try ConfigurationCheck.require(
            firstIDs.contains(firstFeedID) && firstIDs.contains(firstTriggerID),
            "firstFeedID and firstTriggerID must be from 1 to 2^62"
        )
        try ConfigurationCheck.requirePort(tcpPort)
        try rateLimit?.validate()
        try maxima.validate()
    }
}
