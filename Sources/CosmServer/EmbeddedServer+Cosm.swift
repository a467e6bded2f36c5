public import Foundation
public import HeliumServerKit

extension EmbeddedServerConfiguration {
    /// Cosm: the v2 REST API and the live sockets.
    public var cosm: CosmConfiguration {
        get { self[CosmService.self] }
        set { self[CosmService.self] = newValue }
    }
}

extension EmbeddedServer {
    /// Looks into Cosm and changes it.
    public var cosm: CosmControl { self[CosmService.self].control }
}

extension ReadyInformation {
    /// Cosm: the v2 REST API and the live sockets.
    public var cosm: Cosm {
        get { self[CosmService.self] }
        set { self[CosmService.self] = newValue }
    }

    /// The URLs of Cosm, and the key to everything in it.
    public struct Cosm: Codable, Hashable, Sendable {
        /// The base URL of all routes, prefix included: `…/v2`.
        public var base: URL
        /// The master key.
        public var key: String
        /// The URL of the WebSocket: `ws://127.0.0.1:PORT`, with the port of HTTP.
        public var webSocket: URL
        /// The host and port of the raw TCP socket: `127.0.0.1:PORT`.
        public var tcp: String
    }
}

extension ReadyInformation.Cosm: ReadyMember, CustomDebugStringConvertible {
    /// The URL; never the key.
    public var description: String { "Cosm at \(base.absoluteString)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows all but the key.
    public var customMirror: Mirror { Mirror(self, children: ["base": base, "webSocket": webSocket, "tcp": tcp]) }
}
