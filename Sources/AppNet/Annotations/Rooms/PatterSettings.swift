public import HeliumJSON

/// What a chat room is about (§4.5).
///
/// Its type is `net.patter-app.settings` (§4).
public struct PatterSettings: Hashable, Sendable {
    /// The name.
    public var name: String?

    /// What is talked about.
    public var blurb: String?

    /// The post that says it.
    public var blurbID: Post.ID?

    /// Of fun, lifestyle, profession, language, community, tech and event.
    public var categories: [String]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// Settings.
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

extension PatterSettings: Codable, JSONReadable {
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

extension PatterSettings: AnnotationValue {
    /// `net.patter-app.settings`.
    public static let annotationType = "net.patter-app.settings"
}
