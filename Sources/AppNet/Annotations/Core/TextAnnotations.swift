public import HeliumJSON

/// The page on which the same text was published.
///
/// The annotation type is `net.app.core.crosspost` (Docs/Protocols/AppNet.md §4.3).
public struct Crosspost: Hashable, Sendable {
    /// The URL of the page.
    public var canonicalURL: WebAddress?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        canonicalURL: WebAddress? = nil,
        extra: JSONObject = [:]
    ) {
        self.canonicalURL = canonicalURL
        self.extra = extra
    }
}

extension Crosspost: AppNetRecord {
    package init() { self.init(canonicalURL: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("canonical_url", &canonicalURL)
    }
}

extension Crosspost: Codable, JSONReadable {}

extension Crosspost: AnnotationValue {
    /// `net.app.core.crosspost`.
    public static let annotationType = "net.app.core.crosspost"
}

/// The language of a text.
///
/// The annotation type is `net.app.core.language` (Docs/Protocols/AppNet.md §4.3).
public struct TextLanguage: Hashable, Sendable {
    /// The ISO 639-1 code, such as `en`.
    public var language: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        language: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.language = language
        self.extra = extra
    }
}

extension TextLanguage: AppNetRecord {
    package init() { self.init(language: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("language", &language)
    }
}

extension TextLanguage: Codable, JSONReadable {}

extension TextLanguage: AnnotationValue {
    /// `net.app.core.language`.
    public static let annotationType = "net.app.core.language"
}

/// The page that shows an object to users of apps that do not know its annotations.
///
/// The annotation type is `net.app.core.fallback_url` (Docs/Protocols/AppNet.md §4.3).
public struct FallbackURL: Hashable, Sendable {
    /// The URL of the page.
    public var url: WebAddress?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        url: WebAddress? = nil,
        extra: JSONObject = [:]
    ) {
        self.url = url
        self.extra = extra
    }
}

extension FallbackURL: AppNetRecord {
    package init() { self.init(url: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("url", &url)
    }
}

extension FallbackURL: Codable, JSONReadable {}

extension FallbackURL: AnnotationValue {
    /// `net.app.core.fallback_url`.
    public static let annotationType = "net.app.core.fallback_url"
}

/// An invitation to a channel.
///
/// The annotation type is `net.app.core.channel.invite` (Docs/Protocols/AppNet.md §4.3).
public struct ChannelInvite: Hashable, Sendable {
    /// The id of the channel.
    public var channelID: AppNetChannel.ID?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates an invitation.
    public init(
        channelID: AppNetChannel.ID? = nil,
        extra: JSONObject = [:]
    ) {
        self.channelID = channelID
        self.extra = extra
    }
}

extension ChannelInvite: AppNetRecord {
    package init() { self.init(channelID: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("channel_id", &channelID)
    }
}

extension ChannelInvite: Codable, JSONReadable {}

extension ChannelInvite: AnnotationValue {
    /// `net.app.core.channel.invite`.
    public static let annotationType = "net.app.core.channel.invite"
}
