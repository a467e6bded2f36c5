public import HeliumJSON

/// The title, description and tags of a channel. Broadcast channels have ``BroadcastMetadata`` instead.
///
/// The annotation type is `net.app.core.channel.metadata` (Docs/Protocols/AppNet.md §4.3).
public struct ChannelMetadata: Hashable, Sendable {
    /// The title, at most 75 code points.
    public var title: String?

    /// The description, at most 1000 code points.
    public var description: String?

    /// The tags: at most 3, each of at most 15 code points.
    public var tags: [String]?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        title: String? = nil,
        description: String? = nil,
        tags: [String]? = nil,
        extra: JSONObject = [:]
    ) {
        self.title = title
        self.description = description
        self.tags = tags
        self.extra = extra
    }
}

extension ChannelMetadata: AppNetRecord {
    package init() { self.init(title: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("title", &title)
        try visitor.member("description", &description)
        try visitor.list("tags", &tags)
    }
}

extension ChannelMetadata: Codable, JSONReadable {}

extension ChannelMetadata: AnnotationValue {
    /// `net.app.core.channel.metadata`.
    public static let annotationType = "net.app.core.channel.metadata"
}

/// The title, description and tags of a broadcast channel.
///
/// The annotation type is `net.app.core.broadcast.metadata` (Docs/Protocols/AppNet.md §4.3).
public struct BroadcastMetadata: Hashable, Sendable {
    /// The title, at most 75 code points.
    public var title: String?

    /// The description, at most 1000 code points.
    public var description: String?

    /// The tags: at most 3, each of at most 15 code points. Only the server sets the tags of a broadcast channel.
    public var tags: [String]?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        title: String? = nil,
        description: String? = nil,
        tags: [String]? = nil,
        extra: JSONObject = [:]
    ) {
        self.title = title
        self.description = description
        self.tags = tags
        self.extra = extra
    }
}

extension BroadcastMetadata: AppNetRecord {
    package init() { self.init(title: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("title", &title)
        try visitor.member("description", &description)
        try visitor.list("tags", &tags)
    }
}

extension BroadcastMetadata: Codable, JSONReadable {}

extension BroadcastMetadata: AnnotationValue {
    /// `net.app.core.broadcast.metadata`.
    public static let annotationType = "net.app.core.broadcast.metadata"
}

/// The headline of a broadcast.
///
/// The annotation type is `net.app.core.broadcast.message.metadata` (Docs/Protocols/AppNet.md §4.3).
public struct BroadcastSubject: Hashable, Sendable {
    /// The headline, at most 128 code points.
    public var subject: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        subject: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.subject = subject
        self.extra = extra
    }
}

extension BroadcastSubject: AppNetRecord {
    package init() { self.init(subject: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("subject", &subject)
    }
}

extension BroadcastSubject: Codable, JSONReadable {}

extension BroadcastSubject: AnnotationValue {
    /// `net.app.core.broadcast.message.metadata`.
    public static let annotationType = "net.app.core.broadcast.message.metadata"
}

/// The frequency of broadcasts. Read only.
///
/// The annotation type is `net.app.core.broadcast.freq` (Docs/Protocols/AppNet.md §4.3).
public struct BroadcastFrequency: Hashable, Sendable {
    /// The frequency in words.
    public var average: String?

    /// The frequency as a number.
    public var intensity: Double?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    package init(
        average: String? = nil,
        intensity: Double? = nil,
        extra: JSONObject = [:]
    ) {
        self.average = average
        self.intensity = intensity
        self.extra = extra
    }
}

extension BroadcastFrequency: AppNetRecord {
    package init() { self.init(average: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("avg_freq", &average)
        try visitor.member("intensity", &intensity)
    }
}

extension BroadcastFrequency: Codable, JSONReadable {}

extension BroadcastFrequency: AnnotationValue {
    /// `net.app.core.broadcast.freq`.
    public static let annotationType = "net.app.core.broadcast.freq"
}
