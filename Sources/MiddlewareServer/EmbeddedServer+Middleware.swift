public import Foundation
public import HeliumServerKit

extension EmbeddedServerConfiguration {
    /// The signed REST middleware.
    public var middleware: MiddlewareConfiguration {
        get { self[MiddlewareService.self] }
        set { self[MiddlewareService.self] = newValue }
    }
}

extension EmbeddedServer {
    /// Inspects and changes the middleware.
    public var middleware: MiddlewareControl { self[MiddlewareService.self].control }
}

extension ReadyInformation {
    /// The signed REST middleware.
    public var middleware: Middleware {
        get { self[MiddlewareService.self] }
        set { self[MiddlewareService.self] = newValue }
    }

    /// The URLs of the middleware's routes, and the first of its secrets.
    public struct Middleware: Codable, Hashable, Sendable {
        /// The base URL of all routes, prefix included: `…/demo-auth/v1`.
        public var base: URL
        /// The URL where devices register.
        public var devices: URL
        /// The secret that signs requests.
        public var secret: String
        /// The public id of the secret.
        public var secretID: String
    }
}

extension ReadyInformation.Middleware: ReadyMember, CustomDebugStringConvertible {
    /// The URL and the secret's id, without the secret.
    public var description: String { "middleware at \(base.absoluteString), secret id \(secretID)" }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// All members except the secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["base": base, "devices": devices, "secretID": secretID])
    }
}
