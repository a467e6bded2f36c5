public import HeliumJSON

/// Where the same text stands elsewhere.
///
/// Its type is `net.app.core.crosspost` (§4).
public struct Crosspost: Hashable, Sendable {
    /// The page.
    public var canonicalURL: WebAddress?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A page.
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

extension Crosspost: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension Crosspost: AnnotationValue {
    /// `net.app.core.crosspost`.
    public static let annotationType = "net.app.core.crosspost"
}

/// The language of a text.
///
/// Its type is `net.app.core.language` (§4).
public struct TextLanguage: Hashable, Sendable {
    /// The code by ISO 639-1: `en`.
    public var language: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A language.
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

extension TextLanguage: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension TextLanguage: AnnotationValue {
    /// `net.app.core.language`.
    public static let annotationType = "net.app.core.language"
}

/// Where to see something whose annotations an app doesn't know.
///
/// Its type is `net.app.core.fallback_url` (§4).
public struct FallbackURL: Hashable, Sendable {
    /// The page.
    public var url: WebAddress?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A page.
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

extension FallbackURL: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension FallbackURL: AnnotationValue {
    /// `net.app.core.fallback_url`.
    public static let annotationType = "net.app.core.fallback_url"
}

/// An invitation to a channel.
///
/// Its type is `net.app.core.channel.invite` (§4).
public struct ChannelInvite: Hashable, Sendable {
    /// The channel.
    public var channelID: AppNetChannel.ID?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// An invitation.
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

extension ChannelInvite: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension ChannelInvite: AnnotationValue {
    /// `net.app.core.channel.invite`.
    public static let annotationType = "net.app.core.channel.invite"
}
