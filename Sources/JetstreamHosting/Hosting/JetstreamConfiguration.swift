package import HeliumCore
internal import HeliumJSON
package import HeliumServerKit

/// The configuration of a Jetstream server: its scopes, authorization and limits.
public struct JetstreamConfiguration: Sendable {
    /// The rules that the server follows where the original has errors.
    public enum Compatibility: String, Hashable, Sendable, CaseIterable {
        /// The corrected rules of Docs/Protocols/Jetstream.md §7.
        case none
        /// The rules of the original JavaScript server, including its errors (Docs/Protocols/Jetstream.md §5), for
        /// tests of clients.
        case original
    }

    /// The schema and the scopes. Default: ``ScopeFile/canvas``.
    public var scopes = ScopeFile.canvas
    /// The path of the WebSocket; `nil` accepts every path, like the original. Default: `/jetstream`.
    public var path: String? = "/jetstream"
    /// The closures that decide what clients may do. Default: everything is allowed.
    public var authorization = JetstreamAuthorization()
    /// The limits and timeouts.
    public var limits = JetstreamLimits()
    /// The rules that the server follows. Default: ``Compatibility/none``.
    public var compatibility = Compatibility.none
    /// The clock for all times except those of the sockets. Default: the system clock.
    package var clock: any HeliumClock = SystemClock()

    /// Creates a configuration with the defaults given for each property.
    public init() {}
}

extension JetstreamConfiguration: ServerProtocolConfiguration {
    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try ConfigurationCheck.require(
            path.map { $0.hasPrefix("/") && $0.utf8.count > 1 } ?? true,
            "Jetstream's path must begin with a slash and must not be the root"
        )
        let own = self.limits
        try ConfigurationCheck.requirePositive([
            ("sessions", own.sessions), ("sessionsPerAddress", own.sessionsPerAddress ?? 1),
            ("scopesPerSession", own.scopesPerSession),
            ("objectsPerScope", own.objectsPerScope), ("bytesPerScope", own.bytesPerScope),
            ("fragmentsPerMessage", own.fragmentsPerMessage), ("frameBytes", own.frameBytes),
            ("retainedBytes", own.retainedBytes), ("retainedBytesOfAllSessions", own.retainedBytesOfAllSessions),
        ])
        let times = [own.handshake, own.expiry]
        try ConfigurationCheck.require(
            times.allSatisfy { $0 > .zero && $0 <= .seconds(31_536_000) },
            "times must be positive and at most a year"
        )
        do {
            try scopes.validate()
        } catch {
            throw EmbeddedServerError(.invalidConfiguration, "scopes: \(error)")
        }
    }
}

extension ScopeFile {
    /// A small drawing: the scope `Canvas`, whose root has a name and shapes.
    public static var canvas: ScopeFile {
        let number = { Property(name: $0, type: .number, defaultValue: 0) }
        return ScopeFile(
            classes: [
                ClassDefinition(
                    name: "Canvas",
                    properties: [
                        Property(name: "name", type: .string),
                        Property(name: "shapes", type: .named("Shape"), isArray: true),
                    ]
                ),
                ClassDefinition(name: "Shape", properties: ["x", "y", "width", "height", "color"].map(number)),
            ],
            scopes: [ScopeDefinition(name: "Canvas", root: "Canvas", initial: ["name": "Canvas"])]
        )
    }
}
