internal import HeliumJSON

/// A user as the store keeps it (§3.3).
struct AppNetUser: Hashable, Sendable {
    var id: Int64
    /// Lower case.
    var username: String
    /// Nil where no password opens the account.
    var password: StoredPassword?
    var name: String
    var type: String
    var created: Int64
    var timezone: String
    var locale: String
    /// Nil for an empty profile.
    var description: ProcessedText?
    /// A list of annotations, one of each type.
    var annotations: [JSONValue] = []
    /// Rows of pictures; nil: the default ones.
    var avatar: Int64?
    var cover: Int64?
}
