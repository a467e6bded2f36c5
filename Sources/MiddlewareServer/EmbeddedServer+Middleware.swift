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
    /// Looks into the middleware and changes it.
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
        /// The secret to sign with.
        public var secret: String
        /// The secret's public name.
        public var secretID: String
    }
}

extension ReadyInformation.Middleware: ReadyMember, CustomDebugStringConvertible {
    /// The URL and the secret's name; never the secret.
    public var description: String { "middleware at \(base.absoluteString), secret id \(secretID)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows all but the secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["base": base, "devices": devices, "secretID": secretID])
    }
}
