public import Foundation

/// What a client needs to know of a server that is ready: where it listens and the credentials for its tests.
///
/// Its JSON is the line that `helium serve` prints. Later protocols add members and never change these.
public struct ReadyInformation: Codable, Hashable, Sendable {
    /// The root URL of the server, without a slash at its end; its scheme is `https` where the server has a certificate.
    public var http: URL
    /// The signed REST middleware.
    public var middleware: Middleware
    /// Cosm: the v2 REST API and the live sockets.
    public var cosm: Cosm
    /// App.net: REST, OAuth and streams, and pnut's dialect.
    public var appNet: AppNet

    enum CodingKeys: String, CodingKey {
        case http, middleware, cosm
        case appNet = "appnet"
    }

    /// Where the middleware's routes are, and the first of its secrets.
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

    /// Where Cosm is, and the key to everything in it.
    public struct Cosm: Codable, Hashable, Sendable {
        /// The base URL of all routes, prefix included: `…/v2`.
        public var base: URL
        /// The master key.
        public var key: String
        /// The URL of the WebSocket: `ws://127.0.0.1:PORT`.
        public var webSocket: URL
        /// Host and port of the raw TCP socket: `127.0.0.1:PORT`.
        public var tcp: String
    }

    /// Where App.net is, and credentials for its tests.
    public struct AppNet: Codable, Hashable, Sendable {
        /// A user, and a token that has the user's scopes.
        public struct User: Codable, Hashable, Sendable {
            /// The user name, in lower case.
            public var username: String
            /// The user token.
            public var token: String
        }

        /// The API's root: `…/stream/0`.
        public var root: URL
        /// The folder of `authenticate`, `authorize` and `access_token`: `…/oauth`.
        public var oauth: URL
        /// The root of pnut's dialect: `…/v1`.
        public var pnut: URL
        /// The URL of the user streams' WebSocket: `ws://127.0.0.1:PORT/stream/user`.
        public var userStream: URL
        /// The users, in the order of the configuration.
        public var users: [User]
        /// The first app's own token.
        public var appToken: String
        /// The first app's id.
        public var clientID: String
        /// The first app's secret.
        public var clientSecret: String

        init(root: URL, oauth: URL, pnut: URL, userStream: URL, _ credentials: AppNetCredentials) {
            self.root = root
            self.oauth = oauth
            self.pnut = pnut
            self.userStream = userStream
            users = credentials.users.map { User(username: $0.username, token: $0.token) }
            appToken = credentials.appToken
            clientID = credentials.clientID
            clientSecret = credentials.clientSecret
        }
    }
}

extension ReadyInformation {
    /// The information as one line of JSON without a line break, its members sorted by name. It holds the secret.
    ///
    /// - Throws: nothing in practice; encoding strings and URLs does not fail.
    public func jsonLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension ReadyInformation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The root URL; never the secret.
    public var description: String { "ready at \(http.absoluteString)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the URLs only.
    public var customMirror: Mirror {
        Mirror(self, children: ["http": http, "base": middleware.base, "cosm": cosm.base, "appNet": appNet.root])
    }
}

extension ReadyInformation.Middleware: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL and the secret's name; never the secret.
    public var description: String { "middleware at \(base.absoluteString), secret id \(secretID)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows all but the secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["base": base, "devices": devices, "secretID": secretID])
    }
}

extension ReadyInformation.Cosm: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL; never the key.
    public var description: String { "Cosm at \(base.absoluteString)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows all but the key.
    public var customMirror: Mirror { Mirror(self, children: ["base": base, "webSocket": webSocket, "tcp": tcp]) }
}

extension ReadyInformation.AppNet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL; never a credential.
    public var description: String { "App.net at \(root.absoluteString)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows all but the credentials.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["root": root, "oauth": oauth, "pnut": pnut, "userStream": userStream, "clientID": clientID]
        )
    }
}

extension ReadyInformation.AppNet.User: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name; never the token.
    public var description: String { username }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the name only.
    public var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}
