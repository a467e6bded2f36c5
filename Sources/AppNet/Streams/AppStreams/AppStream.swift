public import HeliumJSON

/// A stream of events for an app (Docs/Protocols/AppNet.md §2.13).
public struct AppStream: Hashable, Sendable {
    /// A stream's id.
    public typealias ID = AppNetID<AppStream>

    /// The id.
    public var id: ID?

    /// The URL from which it is read.
    public var endpoint: WebAddress?

    /// The kind of connection, `long_poll`.
    public var type: String?

    /// The types of its events.
    public var objectTypes: [String]?

    /// The filter of its events.
    public var filter: StreamFilter?

    /// The id of the filter to use. Only sent.
    public var filterID: StreamFilter.ID?

    /// The app's own name for the stream.
    public var key: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a stream with these members.
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

extension AppStream: Codable, JSONReadable {}
