public import HeliumJSON

/// What a chat room of pnut.io is about (§6.3).
///
/// Its type is `io.pnut.core.chat-settings` (§4).
public struct PnutChatSettings: Hashable, Sendable {
    /// The name.
    public var name: String?

    /// What is talked about.
    public var description: AppNetUser.Description?

    /// The categories.
    public var categories: [String]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// Settings.
    public init(
        name: String? = nil,
        description: AppNetUser.Description? = nil,
        categories: [String]? = nil,
        extra: JSONObject = [:]
    ) {
        self.name = name
        self.description = description
        self.categories = categories
        self.extra = extra
    }
}

extension PnutChatSettings: AppNetRecord {
    package init() { self.init(name: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("name", &name)
        try visitor.value("description", &description)
        try visitor.list("categories", &categories)
    }
}

extension PnutChatSettings: Codable, JSONReadable {
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

extension PnutChatSettings: AnnotationValue {
    /// `io.pnut.core.chat-settings`.
    public static let annotationType = "io.pnut.core.chat-settings"
}
