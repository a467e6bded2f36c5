public import HeliumJSON

/// Who is in a photo, and where. ``Annotation/photoTag(_:x:y:)`` makes one.
///
/// Its type is `net.app.core.phototag` (§4).
public struct PhotoTag: Hashable, Sendable {
    /// Percent from the left, 0 to 100.
    public var x: Double?

    /// Percent from the top, 0 to 100.
    public var y: Double?

    /// The user.
    public var id: AppNetUser.ID?

    /// The user's name to mention.
    public var username: String?

    /// The user's name to show.
    public var name: String?

    /// The user's portrait.
    public var avatarImage: UserImage?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A tag.
    public init(
        x: Double? = nil,
        y: Double? = nil,
        id: AppNetUser.ID? = nil,
        username: String? = nil,
        name: String? = nil,
        avatarImage: UserImage? = nil,
        extra: JSONObject = [:]
    ) {
        self.x = x
        self.y = y
        self.id = id
        self.username = username
        self.name = name
        self.avatarImage = avatarImage
        self.extra = extra
    }
}

extension PhotoTag: AppNetRecord {
    package init() { self.init(x: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("x", &x)
        try visitor.member("y", &y)
        try visitor.member("id", &id)
        try visitor.member("username", &username)
        try visitor.member("name", &name)
        try visitor.value("avatar_image", &avatarImage)
    }
}

extension PhotoTag: Codable, JSONReadable {
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

extension PhotoTag: AnnotationValue {
    /// `net.app.core.phototag`.
    public static let annotationType = "net.app.core.phototag"
}
