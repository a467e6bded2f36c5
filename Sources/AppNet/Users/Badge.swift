public import Foundation
public import HeliumJSON

/// A badge that the service awards to users; pnut.io only (Docs/Protocols/AppNet.md §6.2).
public struct Badge: Hashable, Sendable {
    /// The id.
    public var id: String?

    /// The name.
    public var name: String?

    /// The description.
    public var description: String?

    /// The time when the token's user was awarded it.
    public var awardedAt: Date?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a badge with these members.
    package init(
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

extension Badge: Codable, JSONReadable {}
