public import HeliumJSON

/// What a token permits (§1.2).
public struct AuthScope: Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// The name as the service has it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To see who you are.
    public static let basic = Self(rawValue: "basic")

    /// To read your streams.
    public static let stream = Self(rawValue: "stream")

    /// To write posts.
    public static let writePost = Self(rawValue: "write_post")

    /// To follow, mute and block.
    public static let follow = Self(rawValue: "follow")

    /// To change your profile.
    public static let updateProfile = Self(rawValue: "update_profile")

    /// To use your channels other than private messages.
    public static let publicMessages = Self(rawValue: "public_messages")

    /// To use all of your channels.
    public static let messages = Self(rawValue: "messages")

    /// To use your files.
    public static let files = Self(rawValue: "files")

    /// To export all of your data.
    public static let export = Self(rawValue: "export")

    /// To see your address (pnut).
    public static let email = Self(rawValue: "email")

    /// To make polls (pnut).
    public static let polls = Self(rawValue: "polls")

    /// To set what you are doing (pnut).
    public static let presence = Self(rawValue: "presence")
}

extension AuthScope: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {
    /// The name.
    public var description: String { rawValue }

    /// The name as the service has it.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Reads a text.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}

extension AuthScope {
    /// The scopes of a list, by commas or blanks (§1.2, §1.3). Leaves out what is too slow to compare.
    static func list(_ text: String) -> [AuthScope] {
        text.unicodeScalars.split { $0 == "," || $0.properties.isWhitespace }.map { String($0) }
            .filter { !$0.isSlowToCompare }.map { AuthScope(rawValue: $0) }
    }

    /// The scope that this one is a part of: of pnut.io's `messages:io.pnut.core.pm` it is `messages` (§6.1).
    var general: AuthScope { AuthScope(rawValue: String(rawValue.unicodeScalars.prefix { $0 != ":" })) }
}
