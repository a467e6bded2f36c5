public import HeliumJSON

/// A stream of events for an app (§2.13).
public struct AppStream: Hashable, Sendable {
    /// A stream's id.
    public typealias ID = AppNetID<AppStream>

    /// The id.
    public var id: ID?

    /// Where it is read.
    public var endpoint: WebAddress?

    /// How it is read: `long_poll`.
    public var type: String?

    /// The types of its events.
    public var objectTypes: [String]?

    /// What passes.
    public var filter: StreamFilter?

    /// Which filter to use. Only sent.
    public var filterID: StreamFilter.ID?

    /// A name of the app's for it.
    public var key: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A stream of these members.
    public init(
        id: ID? = nil,
        endpoint: WebAddress? = nil,
        type: String? = nil,
        objectTypes: [String]? = nil,
        filter: StreamFilter? = nil,
        filterID: StreamFilter.ID? = nil,
        key: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.endpoint = endpoint
        self.type = type
        self.objectTypes = objectTypes
        self.filter = filter
        self.filterID = filterID
        self.key = key
        self.extra = extra
    }
}

extension AppStream: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id, pnut: .identifiedBy("key"))
        try visitor.member("endpoint", &endpoint)
        try visitor.member("type", &type, sent: .always)
        try visitor.list("object_types", &objectTypes, sent: .always)
        try visitor.value("filter", &filter)
        try visitor.member("filter_id", &filterID, sent: .always)
        try visitor.member("key", &key, sent: .always)
    }

    package static var pnutDifferences: [PnutStep] {
        [.value("object_types", EventContent.names)]
    }
}

extension AppStream: Codable, JSONReadable {
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
