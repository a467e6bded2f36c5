/// The users and apps that an App.net server starts with (§8 item 1).
public struct AppNetAccounts: Codable, Hashable, Sendable {
    /// A person, bot or feed with an account.
    public struct User: Codable, Hashable, Sendable {
        /// The user name: 1 to 20 of `a`–`z`, `0`–`9` and `_`; letter case is ignored.
        public var name: String
        /// For the password and web flows (§1.3); nil: neither is possible.
        public var password: String?
        /// The scopes of ``tokens``. Default: all of §1.2.
        public var scopes: [String]?
        /// The user's tokens for the first app. Default: a random one, which the ready line tells.
        public var tokens: [String]?
        /// `human`, `bot` or `feed`. Default: `human`.
        public var type: String?
        /// The name that is shown, at most 50 characters. Default: the user name.
        public var fullName: String?

        /// A user with a random token for every scope.
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

    /// An application that asks users for tokens.
    public struct App: Codable, Hashable, Sendable {
        /// Its public name in the OAuth flows.
        public var clientID: String
        /// Proves the app where it asks for an app token or trades in a code. Default: a random one, which the ready
        /// line tells.
        public var clientSecret: String?
        /// Allows the password flow; nil: it is refused.
        public var passwordGrantSecret: String?
        /// What users see. Default: the client's id.
        public var name: String?
        /// The app's page. Default: `https://example.com`.
        public var link: String?
        /// Where the web flows may return to; a URI matches whole. Default: any port of 127.0.0.1 and localhost.
        public var redirectURIs: [String]?
        /// The app's own tokens. Default: a random one, which the ready line tells.
        public var tokens: [String]?

        /// An app with random secrets.
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

    /// The users; at least one. The first is the first of the ready line.
    public var users: [User]
    /// The apps; at least one. The first is the one that the ready line tells, and that ``User/tokens`` belong to.
    public var apps: [App]

    /// Users and apps by name.
    public init(users: [User], apps: [App]) {
        self.users = users
        self.apps = apps
    }

    /// `alice` and `bob`, whose passwords are `alice-password` and `bob-password`, and the app `helium`, whose password
    /// grant secret is `helium-password-grant`; tokens and the client secret are random.
    public static let standard = Self(
        users: [
            User(name: "alice", password: "alice-password"), User(name: "bob", password: "bob-password"),
        ],
        apps: [App(clientID: "helium", passwordGrantSecret: "helium-password-grant")]
    )
}

extension AppNetAccounts: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names; never a password, a secret or a token.
    public var description: String {
        "users \(users.map(\.name).joined(separator: ", ")); apps \(apps.map(\.clientID).joined(separator: ", "))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the names only.
    public var customMirror: Mirror {
        Mirror(self, children: ["users": users.map(\.name), "apps": apps.map(\.clientID)])
    }
}

extension AppNetAccounts.User: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { name }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the name only.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension AppNetAccounts.App: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The client's id.
    public var description: String { clientID }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the client's id only.
    public var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}
