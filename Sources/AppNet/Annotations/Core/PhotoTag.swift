public import HeliumJSON

/// A tag for a user in a photo, with a position. ``Annotation/photoTag(_:x:y:)`` creates one.
///
/// The annotation type is `net.app.core.phototag` (Docs/Protocols/AppNet.md §4.3).
public struct PhotoTag: Hashable, Sendable {
    /// The distance from the left, in percent from 0 to 100.
    public var x: Double?

    /// The distance from the top, in percent from 0 to 100.
    public var y: Double?

    /// The user's id.
    public var id: AppNetUser.ID?

    /// The user name.
    public var username: String?

    /// The user's display name.
    public var name: String?

    /// The user's avatar.
    public var avatarImage: UserImage?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a tag with these members.
    package init(
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

extension PhotoTag: Codable, JSONReadable {}

extension PhotoTag: AnnotationValue {
    /// `net.app.core.phototag`.
    public static let annotationType = "net.app.core.phototag"
}
