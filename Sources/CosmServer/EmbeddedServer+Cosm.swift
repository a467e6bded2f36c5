public import Foundation
public import HeliumServerKit

extension EmbeddedServerConfiguration {
    /// The configuration of Cosm: the v2 REST API and the live sockets.
    public var cosm: CosmConfiguration {
        get { self[CosmService.self] }
        set { self[CosmService.self] = newValue }
    }
}

extension EmbeddedServer {
    /// The control of Cosm, which inspects it and changes its state.
    public var cosm: CosmControl { self[CosmService.self].control }
}

extension ReadyInformation {
    /// The connection data of Cosm: the v2 REST API and the live sockets.
    public var cosm: Cosm {
        get { self[CosmService.self] }
        set { self[CosmService.self] = newValue }
    }

    /// The URLs of Cosm and its master key.
    public struct Cosm: Codable, Hashable, Sendable {
        /// The base URL of all routes, including the prefix: `…/v2`.
        public var base: URL
        /// The master key.
        public var key: String
        /// The URL of the WebSocket: `ws://127.0.0.1:PORT`. The port is that of HTTP.
        public var webSocket: URL
        /// The host and port of the raw TCP socket: `127.0.0.1:PORT`.
        public var tcp: String
    }
}

extension ReadyInformation.Cosm: ReadyMember, CustomDebugStringConvertible {
    /// The URL, without the key.
    public var description: String { "Cosm at \(base.absoluteString)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The members without the key.
    public var customMirror: Mirror { Mirror(self, children: ["base": base, "webSocket": webSocket, "tcp": tcp]) }
}
