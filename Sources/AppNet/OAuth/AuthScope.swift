public import HeliumJSON

/// A permission of a token (Docs/Protocols/AppNet.md §1.2).
public struct AuthScope: Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a value from its name in the API.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Permission to read basic information about the user.
    public static let basic = Self(rawValue: "basic")

    /// Permission to read the user's streams.
    public static let stream = Self(rawValue: "stream")

    /// Permission to write posts.
    public static let writePost = Self(rawValue: "write_post")

    /// Permission to follow, mute and block users.
    public static let follow = Self(rawValue: "follow")

    /// Permission to change the user's profile.
    public static let updateProfile = Self(rawValue: "update_profile")

    /// Permission to use the user's channels, except for private messages.
    public static let publicMessages = Self(rawValue: "public_messages")

    /// Permission to use all of the user's channels.
    public static let messages = Self(rawValue: "messages")

    /// Permission to use the user's files.
    public static let files = Self(rawValue: "files")

    /// Permission to export all of the user's data.
    public static let export = Self(rawValue: "export")

    /// Permission to read the user's email address (pnut.io only).
    public static let email = Self(rawValue: "email")

    /// Permission to create polls (pnut.io only).
    public static let polls = Self(rawValue: "polls")

    /// Permission to set the user's presence (pnut.io only).
    public static let presence = Self(rawValue: "presence")
}

extension AuthScope: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {}

extension AuthScope {
    /// Parses a list of scopes that is separated by commas or spaces (Docs/Protocols/AppNet.md §1.2, §1.3). Names that
    /// are too slow to compare are left out.
    static func list(_ text: String) -> [AuthScope] {
        text.unicodeScalars.split { $0 == "," || $0.properties.isWhitespace }.map { String($0) }
            .filter { !$0.isSlowToCompare }.map { AuthScope(rawValue: $0) }
    }

    /// The scope that contains this one. For pnut.io's `messages:io.pnut.core.pm` it is `messages`
    /// (Docs/Protocols/AppNet.md §6.1).
    var general: AuthScope { AuthScope(rawValue: String(rawValue.unicodeScalars.prefix { $0 != ":" })) }
}
