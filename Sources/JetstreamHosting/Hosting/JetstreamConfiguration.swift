package import HeliumCore
internal import HeliumJSON
package import HeliumServerKit

/// The behaviour of a Jetstream server: its scopes, who may do what, and ceilings.
public struct JetstreamConfiguration: Sendable {
    /// The peer whose behaviour the server has where the original has mistakes.
    public enum Compatibility: String, Hashable, Sendable, CaseIterable {
        /// The better rules of Jetstream.md §7.
        case none
        /// The original JavaScript server, mistakes included (Jetstream.md §5): for tests of clients.
        case original
    }

    /// The schema and the scopes. Default: ``ScopeFile/canvas``.
    public var scopes = ScopeFile.canvas
    /// The path of the WebSocket; `nil` answers at every path, as the original does. Default: `/jetstream`.
    public var path: String? = "/jetstream"
    /// Decides what clients may do. Default: everything.
    public var authorization = JetstreamAuthorization()
    /// Ceilings and times.
    public var limits = JetstreamLimits()
    /// The peer whose behaviour the server has. Default: ``Compatibility/none``.
    public var compatibility = Compatibility.none
    /// The clock of all times but those of the sockets. Default: the system's.
    package var clock: any HeliumClock = SystemClock()

    /// The defaults named at each property.
    public init() {}
}

extension JetstreamConfiguration: ServerProtocolConfiguration {
    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try ConfigurationCheck.require(
            path.map { $0.hasPrefix("/") && $0.utf8.count > 1 } ?? true,
            "Jetstream's path begins with a slash and is not the root"
        )
        let own = self.limits
        try ConfigurationCheck.requirePositive([
            ("sessions", own.sessions), ("scopesPerSession", own.scopesPerSession),
            ("objectsPerScope", own.objectsPerScope), ("bytesPerScope", own.bytesPerScope),
            ("fragmentsPerMessage", own.fragmentsPerMessage), ("frameBytes", own.frameBytes),
            ("retainedBytes", own.retainedBytes),
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
