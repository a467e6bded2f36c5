internal import HeliumJSON

/// An account: its login and everything else that its owner said about it (§9).
struct UserRecord: Hashable, Sendable {
    let login: String
    /// The members of its document.
    var profile: JSONObject

    static func new(_ login: String, key: String) -> Self {
        Self(login: login, profile: ["login": .string(login), "api_key": .string(key)])
    }
}
