public import Foundation
public import HeliumServerKit

extension EmbeddedServerConfiguration {
    /// The settings of App.net: REST, OAuth and streams, and pnut's dialect.
    public var appNet: AppNetServerConfiguration {
        get { self[AppNetService.self] }
        set { self[AppNetService.self] = newValue }
    }
}

extension EmbeddedServer {
    /// The control for reading and changing App.net's state.
    public var appNet: AppNetControl { self[AppNetService.self].control }
}

extension ReadyInformation {
    /// The URLs and credentials of App.net, including OAuth, streams and pnut's dialect.
    public var appNet: AppNet {
        get { self[AppNetService.self] }
        set { self[AppNetService.self] = newValue }
    }

    /// The URLs of App.net, and credentials for tests.
    public struct AppNet: Codable, Hashable, Sendable {
        /// A user, and a token with the user's scopes.
        public struct User: Codable, Hashable, Sendable {
            /// The user name, in lower case.
            public var username: String
            /// The user token.
            public var token: String
        }

        /// The root URL of the API: `…/stream/0`.
        public var root: URL
        /// The base URL of `authenticate`, `authorize` and `access_token`: `…/oauth`.
        public var oauth: URL
        /// The root URL of pnut's dialect: `…/v1`.
        public var pnut: URL
        /// The URL of the WebSocket for user streams: `ws://127.0.0.1:PORT/stream/user`, with the port of HTTP.
        public var userStream: URL
        /// The users, in the order of the configuration.
        public var users: [User]
        /// The first app's own token.
        public var appToken: String
        /// The first app's client id.
        public var clientID: String
        /// The first app's client secret.
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

extension ReadyInformation.AppNet: ReadyMember, CustomDebugStringConvertible {
    /// The root URL, without credentials.
    public var description: String { "App.net at \(root.absoluteString)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains everything except the credentials.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["root": root, "oauth": oauth, "pnut": pnut, "userStream": userStream, "clientID": clientID]
        )
    }
}

extension ReadyInformation.AppNet.User: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user name, without the token.
    public var description: String { username }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the name.
    public var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}
