public import HeliumJSON

/// The settings of a chat room (Docs/Protocols/AppNet.md §4.5).
///
/// The annotation type is `net.patter-app.settings`.
public struct PatterSettings: Hashable, Sendable {
    /// The name.
    public var name: String?

    /// The description of the room.
    public var blurb: String?

    /// The id of the post with the description.
    public var blurbID: Post.ID?

    /// The categories: fun, lifestyle, profession, language, community, tech or event.
    public var categories: [String]?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates settings with these members.
    public init(
        name: String? = nil,
        blurb: String? = nil,
        blurbID: Post.ID? = nil,
        categories: [String]? = nil,
        extra: JSONObject = [:]
    ) {
        self.name = name
        self.blurb = blurb
        self.blurbID = blurbID
        self.categories = categories
        self.extra = extra
    }
}

extension PatterSettings: AppNetRecord {
    package init() { self.init(name: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("name", &name)
        try visitor.member("blurb", &blurb)
        try visitor.member("blurb_id", &blurbID)
        try visitor.list("categories", &categories)
    }
}

extension PatterSettings: Codable, JSONReadable {}

extension PatterSettings: AnnotationValue {
    /// `net.patter-app.settings`.
    public static let annotationType = "net.patter-app.settings"
}
