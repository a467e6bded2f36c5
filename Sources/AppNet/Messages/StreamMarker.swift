public import Foundation
public import HeliumJSON

/// How far a user has read a stream (§2.3, §3.5). One that was never set has a name only.
public struct StreamMarker: Hashable, Sendable {
    /// The id of an item of the stream, whatever kind it is of.
    public typealias ID = AppNetID<StreamMarker>

    /// The stream: `global`, `channel:27024`.
    public var name: String?

    /// The item at the top of the screen.
    public var id: ID?

    /// The newest item that was read.
    public var lastReadID: ID?

    /// How much of the item is scrolled away, 0 to 100.
    public var percentage: Int?

    /// When it was set.
    public var updatedAt: Date?

    /// Another text after every change.
    public var version: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A marker of these members.
    public init(
        name: String? = nil,
        id: ID? = nil,
        lastReadID: ID? = nil,
        percentage: Int? = nil,
        updatedAt: Date? = nil,
        version: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.name = name
        self.id = id
        self.lastReadID = lastReadID
        self.percentage = percentage
        self.updatedAt = updatedAt
        self.version = version
        self.extra = extra
    }
}

extension StreamMarker: AppNetRecord {
    package init() { self.init(name: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("name", &name, sent: .always)
        try visitor.member("id", &id, sent: .always)
        try visitor.member("last_read_id", &lastReadID)
        try visitor.member("percentage", &percentage, sent: .always)
        try visitor.member("updated_at", &updatedAt)
        try visitor.member("version", &version)
    }
}

extension StreamMarker: Codable, JSONReadable {
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
