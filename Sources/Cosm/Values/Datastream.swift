public import HeliumJSON

/// A datastream: one series of values of a feed (§5, §10).
///
/// Every member may be missing. In an update, what is `nil` stays as it is at the server.
public struct Datastream: Hashable, Sendable {
    /// The id, unique in its feed: letters, digits, `_`, `+`, `.` and `-`.
    public var id: String?

    /// The newest value (`current_value`).
    public var currentValue: DatapointValue?

    /// When it was so.
    public var at: Timestamp?

    /// The greatest number so far (`max_value`).
    public var maximumValue: DatapointValue?

    /// The least number so far (`min_value`).
    public var minimumValue: DatapointValue?

    /// The tags.
    public var tags: [String]?

    /// What the values count.
    public var unit: Unit?

    /// The points that a history query asked for, or that are to be stored.
    public var datapoints: [Datapoint]?

    /// How the points were aggregated (`datapoints_function`).
    public var datapointsFunction: Function?

    /// The document's version, where the datastream is all of it: `1.0.0`.
    public var version: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A datastream of these members.
    public init(
        id: String? = nil,
        currentValue: DatapointValue? = nil,
        at: Timestamp? = nil,
        maximumValue: DatapointValue? = nil,
        minimumValue: DatapointValue? = nil,
        tags: [String]? = nil,
        unit: Unit? = nil,
        datapoints: [Datapoint]? = nil,
        datapointsFunction: Function? = nil,
        version: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.currentValue = currentValue
        self.at = at
        self.maximumValue = maximumValue
        self.minimumValue = minimumValue
        self.tags = tags
        self.unit = unit
        self.datapoints = datapoints
        self.datapointsFunction = datapointsFunction
        self.version = version
        self.extra = extra
    }
}

extension Datastream: CosmRecord {
    init() { self.init(id: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("id", \.id, .clientAtCreation.xml(.attribute))
        try visitor.tags("tags", \.tags, .client)
        try visitor.member("current_value", \.currentValue, .client)
        try visitor.member("at", \.at, .client.xml(.attributeOf("current_value", "at")))
        try visitor.member("max_value", \.maximumValue, .client)
        try visitor.member("min_value", \.minimumValue, .client)
        try visitor.record("unit", \.unit, .client)
        try visitor.records("datapoints", of: "value", \.datapoints, .children)
        try visitor.member(
            "datapoints_function",
            \.datapointsFunction,
            .service.xml(.attributeOf("datapoints", "function"))
        )
        try visitor.member("version", \.version, .service.xml(.absent))
    }
}

extension Datastream: Codable, JSONReadable {
    /// Reads a datastream by the leniency table of §10; of a document of version 1 (`0.6-alpha`) by its rules too (§13).
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a datastream by the leniency table of §10; of a document of version 1 (`0.6-alpha`) by its rules too (§13).
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
