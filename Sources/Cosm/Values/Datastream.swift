public import HeliumCore
public import HeliumJSON

/// A datastream: a series of values of a feed (Docs/Protocols/Cosm.md §5, §10).
///
/// Every member is optional. In an update, members that are `nil` stay unchanged on the server.
public struct Datastream: Hashable, Sendable {
    /// The id, unique in its feed: letters, digits, `_`, `+`, `.` and `-`.
    public var id: String?

    /// The current value (`current_value`).
    public var currentValue: DatapointValue?

    /// The instant of the current value.
    public var at: Timestamp?

    /// The greatest number that the datastream has had (`max_value`).
    public var maximumValue: DatapointValue?

    /// The smallest number that the datastream has had (`min_value`).
    public var minimumValue: DatapointValue?

    /// The tags.
    public var tags: [String]?

    /// The unit of the values.
    public var unit: Unit?

    /// The points that a history query returned, or that are to be stored.
    public var datapoints: [Datapoint]?

    /// The aggregate function of the points (`datapoints_function`).
    public var datapointsFunction: Function?

    /// The version of a document that consists of the datastream: `1.0.0`.
    public var version: String?

    /// The points of the document that could not be read, for example because of an invalid timestamp. They are not among the
    /// ``datapoints``.
    ///
    /// A document in which none of the ``datapoints`` can be read is an error, because points have no ids. Sending a
    /// datastream with such points is an error too, because they would be lost. Send ``changes(since:)``.
    public var unreadable = UnreadableItems()

    /// The unknown members of the document. They are encoded unless a property has the same name.
    public var extra = JSONObject()

    /// Creates a datastream.
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

    static var leavesOutUnreadable: Bool { true }

    mutating func leaveOut(_ items: UnreadableItems) { unreadable.add(items) }

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

extension Datastream: Codable, JSONReadable {}
