public import HeliumJSON

/// What a channel is about; not of broadcast channels.
///
/// Its type is `net.app.core.channel.metadata` (§4).
public struct ChannelMetadata: Hashable, Sendable {
    /// The title, at most 75 code points.
    public var title: String?

    /// What it is about, at most 1000 code points.
    public var description: String?

    /// At most 3 tags of at most 15 code points.
    public var tags: [String]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A description.
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

extension ChannelMetadata: Codable, JSONReadable {
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

extension ChannelMetadata: AnnotationValue {
    /// `net.app.core.channel.metadata`.
    public static let annotationType = "net.app.core.channel.metadata"
}

/// What a broadcast channel is about.
///
/// Its type is `net.app.core.broadcast.metadata` (§4).
public struct BroadcastMetadata: Hashable, Sendable {
    /// The title, at most 75 code points.
    public var title: String?

    /// What it is about, at most 1000 code points.
    public var description: String?

    /// At most 3 tags of at most 15 code points; only the server gives a broadcast channel its tags.
    public var tags: [String]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A description.
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

extension BroadcastMetadata: Codable, JSONReadable {
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

extension BroadcastMetadata: AnnotationValue {
    /// `net.app.core.broadcast.metadata`.
    public static let annotationType = "net.app.core.broadcast.metadata"
}

/// A broadcast's headline.
///
/// Its type is `net.app.core.broadcast.message.metadata` (§4).
public struct BroadcastSubject: Hashable, Sendable {
    /// The headline, at most 128 code points.
    public var subject: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A headline.
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

extension BroadcastSubject: Codable, JSONReadable {
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

extension BroadcastSubject: AnnotationValue {
    /// `net.app.core.broadcast.message.metadata`.
    public static let annotationType = "net.app.core.broadcast.message.metadata"
}

/// How often there are broadcasts. Only read.
///
/// Its type is `net.app.core.broadcast.freq` (§4).
public struct BroadcastFrequency: Hashable, Sendable {
    /// In words.
    public var average: String?

    /// As a number.
    public var intensity: Double?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A frequency.
    public init(
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

extension BroadcastFrequency: Codable, JSONReadable {
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

extension BroadcastFrequency: AnnotationValue {
    /// `net.app.core.broadcast.freq`.
    public static let annotationType = "net.app.core.broadcast.freq"
}
