internal import Foundation
public import HeliumServerKit

extension AppNetAccounts {
    /// Reads accounts from a JSON file: `{"users": [{"name", "password", "scopes", "tokens"}, …], "apps":
    /// [{"client_id", "client_secret", "password_grant_secret"}, …]}`. All members except `name` and `client_id` are
    /// optional. If users or apps are missing, the standard ones are used.
    ///
    /// - Throws: ``EmbeddedServerError`` if the file cannot be read or is invalid. The error does not contain secrets.
    public init(contentsOf path: String) throws(EmbeddedServerError) {
        struct File: Decodable {
            var users: [User]?
            var apps: [App]?
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            // The text of a file in place of its path has passwords.
            let shown = path.contains("{") ? "the file of accounts, given as JSON in place of a path," : path
            throw EmbeddedServerError(.invalidConfiguration, "\(shown) cannot be read")
        }
        do {
            let file = try JSONDecoder().decode(File.self, from: data)
            self.init(users: file.users ?? Self.standard.users, apps: file.apps ?? Self.standard.apps)
        } catch let error as DecodingError {
            throw EmbeddedServerError(.invalidConfiguration, "\(path): \(Self.place(of: error))")
        } catch {
            throw EmbeddedServerError(.invalidConfiguration, "\(path) is not JSON")
        }
        try validate()
    }

    /// Returns the location of an error in the file. The decoder's own text is not used because it would quote values.
    private static func place(of error: DecodingError) -> String {
        let path: [any CodingKey]
        switch error {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        @unknown default: path = []
        }
        guard !path.isEmpty else { return "the file is not a JSON object of users and apps" }
        return
            "\(path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")) is missing or wrong"
    }

    func validate() throws(EmbeddedServerError) {
        func require(_ condition: Bool, _ text: String) throws(EmbeddedServerError) {
            if !condition { throw EmbeddedServerError(.invalidConfiguration, text) }
        }
        try require(!users.isEmpty && !apps.isEmpty, "App.net needs at least one user and one app")
        for user in users {
            try require(Username.isValid(user.name), "a user name must have 1 to 20 characters of a-z, 0-9 and _")
            try require(
                ["human", "bot", "feed"].contains(user.type ?? "human"),
                "the type of a user must be human, bot or feed"
            )
            for scope in user.scopes ?? [] {
                try require(AppNetScope(rawValue: scope) != nil, "\(user.name) has an unknown scope")
            }
        }
        try require(
            Set(users.map { $0.name.lowercased() }).count == users.count
                && Set(apps.map(\.clientID)).count == apps.count,
            "two users or two apps have the same name"
        )
        for app in apps { try require(!app.clientID.isEmpty, "an app's client_id is empty") }
        let tokens = users.flatMap { $0.tokens ?? [] } + apps.flatMap { $0.tokens ?? [] }
        try require(Set(tokens).count == tokens.count, "a token is used twice")
        try require(!tokens.contains { $0.utf8.count < 4 }, "a token must have at least 4 characters")
    }
}

/// The login name of a user (Docs/Protocols/AppNet.md §3.3).
enum Username {
    /// Returns whether a name consists of 1 to 20 letters, digits and `_`.
    static func isValid(_ name: String) -> Bool {
        1...20 ~= name.utf8.count && name.utf8.allSatisfy(isNameByte)
    }

    static func isNameByte(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_") }
}
