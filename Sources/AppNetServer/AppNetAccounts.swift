/// The users and apps that an App.net server starts with (Docs/Protocols/AppNet.md §8).
public struct AppNetAccounts: Codable, Hashable, Sendable {
    /// A person, bot or feed with an account.
    public struct User: Codable, Hashable, Sendable {
        /// The user name: 1 to 20 of `a`–`z`, `0`–`9` and `_`. Case is ignored.
        public var name: String
        /// The password for the password and web flows (Docs/Protocols/AppNet.md §1.3). If `nil`, both flows are
        /// unavailable.
        public var password: String?
        /// The scopes of ``tokens``. Default: all scopes (Docs/Protocols/AppNet.md §1.2).
        public var scopes: [String]?
        /// The user's tokens for the first app. Default: one random token, which the ready line contains.
        public var tokens: [String]?
        /// `human`, `bot` or `feed`. Default: `human`.
        public var type: String?
        /// The display name, at most 50 characters. Default: the user name.
        public var fullName: String?

        /// Creates a user. By default it has a random token with all scopes.
        public init(name: String, password: String? = nil, scopes: [String]? = nil, tokens: [String]? = nil) {
            self.name = name
            self.password = password
            self.scopes = scopes
            self.tokens = tokens
        }

        enum CodingKeys: String, CodingKey {
            case name, password, scopes, tokens, type
            case fullName = "full_name"
        }
    }

    /// An application that requests tokens of users.
    public struct App: Codable, Hashable, Sendable {
        /// The client id in the OAuth flows.
        public var clientID: String
        /// The secret with which the app requests an app token or exchanges a code. Default: a random secret, which the
        /// ready line contains.
        public var clientSecret: String?
        /// The secret for the password flow. If `nil`, the password flow is rejected.
        public var passwordGrantSecret: String?
        /// The name that users see. Default: the client id.
        public var name: String?
        /// The URL of the app's page. Default: `https://example.com`.
        public var link: String?
        /// The redirect URIs of the web flows, which must match exactly. Default: any port of 127.0.0.1 and localhost.
        public var redirectURIs: [String]?
        /// The app's own tokens. Default: one random token, which the ready line contains.
        public var tokens: [String]?

        /// Creates an app. By default its client secret is random.
        public init(clientID: String, clientSecret: String? = nil, passwordGrantSecret: String? = nil) {
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.passwordGrantSecret = passwordGrantSecret
        }

        enum CodingKeys: String, CodingKey {
            case clientID = "client_id"
            case clientSecret = "client_secret"
            case passwordGrantSecret = "password_grant_secret"
            case name, link, tokens
            case redirectURIs = "redirect_uris"
        }
    }

    /// The users; at least one. The first one is the first user of the ready line.
    public var users: [User]
    /// The apps; at least one. The ready line contains the first one, to which ``User/tokens`` belong.
    public var apps: [App]

    /// Creates accounts with users and apps.
    public init(users: [User], apps: [App]) {
        self.users = users
        self.apps = apps
    }

    /// The users `alice` and `bob`, whose passwords are `alice-password` and `bob-password`, and the app `helium`,
    /// whose password grant secret is `helium-password-grant`. Tokens and the client secret are random.
    public static let standard = Self(
        users: [
            User(name: "alice", password: "alice-password"), User(name: "bob", password: "bob-password"),
        ],
        apps: [App(clientID: "helium", passwordGrantSecret: "helium-password-grant")]
    )
}

extension AppNetAccounts: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of users and apps, without passwords, secrets and tokens.
    public var description: String {
        "users \(users.map(\.name).joined(separator: ", ")); apps \(apps.map(\.clientID).joined(separator: ", "))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the names.
    public var customMirror: Mirror {
        Mirror(self, children: ["users": users.map(\.name), "apps": apps.map(\.clientID)])
    }
}

extension AppNetAccounts.User: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { name }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the name.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension AppNetAccounts.App: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The client id.
    public var description: String { clientID }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the client id.
    public var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}
