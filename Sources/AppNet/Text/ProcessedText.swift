public import HeliumJSON

/// A text as the service would store it (§2.6).
public struct ProcessedText: Hashable, Sendable {
    /// The text.
    public var text: String?

    /// The text as HTML, made by the server.
    public var html: String?

    /// The mentions, hashtags and links in the text.
    public var entities: Entities?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A text of these members.
    public init(
        text: String? = nil,
        html: String? = nil,
        entities: Entities? = nil,
        extra: JSONObject = [:]
    ) {
        self.text = text
        self.html = html
        self.entities = entities
        self.extra = extra
    }
}

extension ProcessedText: AppNetRecord {
    package init() { self.init(text: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("text", &text, pnut: .inside("content"))
        try visitor.member("html", &html, pnut: .inside("content"))
        try visitor.value("entities", &entities, pnut: .inside("content"))
    }
}

extension ProcessedText: Codable, JSONReadable {
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
