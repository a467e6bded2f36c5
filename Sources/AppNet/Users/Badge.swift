public import Foundation
public import HeliumJSON

/// A mark of honour of users (§6.2, pnut).
public struct Badge: Hashable, Sendable {
    /// The id.
    public var id: String?

    /// The name.
    public var name: String?

    /// The description.
    public var description: String?

    /// The time when the token's user was awarded it.
    public var awardedAt: Date?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A badge.
    public init(
        id: String? = nil,
        name: String? = nil,
        description: String? = nil,
        awardedAt: Date? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.awardedAt = awardedAt
        self.extra = extra
    }
}

extension Badge: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.member("name", &name)
        try visitor.member("description", &description)
        try visitor.member("awarded_at", &awardedAt)
    }
}

extension Badge: Codable, JSONReadable {
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
