public import Foundation
public import HeliumServerKit

extension EmbeddedServerConfiguration {
    /// Jetstream: model trees that sync live.
    public var jetstream: JetstreamConfiguration {
        get { self[JetstreamService.self] }
        set { self[JetstreamService.self] = newValue }
    }
}

extension EmbeddedServer {
    /// Looks into Jetstream's scopes and changes them.
    public var jetstream: JetstreamControl { self[JetstreamService.self].control }
}

extension ReadyInformation {
    /// Jetstream: model trees that sync live.
    public var jetstream: Jetstream {
        get { self[JetstreamService.self] }
        set { self[JetstreamService.self] = newValue }
    }

    /// The URL of Jetstream and the names of its scopes.
    public struct Jetstream: Codable, Hashable, Sendable {
        /// The names of the scopes, in the order of the scope file.
        public var scopes: [String]
        /// The URL of the WebSocket.
        public var webSocket: URL
    }
}

extension ReadyInformation.Jetstream: ReadyMember {
    /// The URL.
    public var description: String { "Jetstream at \(webSocket.absoluteString)" }

    /// Shows all: there is no secret.
    public var customMirror: Mirror { Mirror(self, children: ["scopes": scopes, "webSocket": webSocket]) }
}
