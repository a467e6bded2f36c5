public import Foundation
public import HeliumServerKit

extension EmbeddedServerConfiguration {
    /// The configuration of Jetstream, which synchronizes model trees live.
    public var jetstream: JetstreamConfiguration {
        get { self[JetstreamService.self] }
        set { self[JetstreamService.self] = newValue }
    }
}

extension EmbeddedServer {
    /// Reads and changes Jetstream's scopes.
    public var jetstream: JetstreamControl { self[JetstreamService.self].control }
}

extension ReadyInformation {
    /// The URL and the scopes of Jetstream.
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
    /// A description with the URL of the WebSocket.
    public var description: String { "Jetstream at \(webSocket.absoluteString)" }

    /// A mirror with all properties. None of them is secret.
    public var customMirror: Mirror { Mirror(self, children: ["scopes": scopes, "webSocket": webSocket]) }
}
