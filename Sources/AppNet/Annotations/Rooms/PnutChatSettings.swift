public import HeliumJSON

/// The settings of a chat room on pnut.io (Docs/Protocols/AppNet.md §6.3).
///
/// The annotation type is `io.pnut.core.chat-settings`.
public struct PnutChatSettings: Hashable, Sendable {
    /// The name.
    public var name: String?

    /// The description of the room.
    public var description: AppNetUser.Description?

    /// The categories.
    public var categories: [String]?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates settings with these members.
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

extension PnutChatSettings: Codable, JSONReadable {}

extension PnutChatSettings: AnnotationValue {
    /// `io.pnut.core.chat-settings`.
    public static let annotationType = "io.pnut.core.chat-settings"
}
