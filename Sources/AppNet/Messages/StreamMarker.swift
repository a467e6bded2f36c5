public import Foundation
public import HeliumJSON

/// The reading position of a user in a stream (Docs/Protocols/AppNet.md §2.3, §3.5). A marker that was never set has
/// only a name.
public struct StreamMarker: Hashable, Sendable {
    /// The id of an item in the stream, whatever its kind.
    public typealias ID = AppNetID<StreamMarker>

    /// The name of the stream, such as `global` or `channel:27024`.
    public var name: String?

    /// The id of the item at the top of the screen.
    public var id: ID?

    /// The id of the newest item that was read.
    public var lastReadID: ID?

    /// The scroll position within the item, in percent from 0 to 100.
    public var percentage: Int?

    /// The date of the last update.
    public var updatedAt: Date?

    /// A text that is different after every update.
    public var version: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a marker with these members.
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

extension StreamMarker: Codable, JSONReadable {}
