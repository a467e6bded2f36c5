public import HeliumJSON

/// A datapoint: a value at an instant (§6).
public struct Datapoint: Hashable, Sendable {
    /// When. The service refuses to store a point without.
    public var at: Timestamp?

    /// What was measured.
    public var value: DatapointValue?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A datapoint of these members.
    public init(at: Timestamp? = nil, value: DatapointValue? = nil, extra: JSONObject = [:]) {
        self.at = at
        self.value = value
        self.extra = extra
    }
}

extension Datapoint: CosmRecord {
    init() { self.init(at: nil) }

    // Histories are long: inlined into readers and writers.
    @inline(__always)
    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("at", \.at, .clientAtCreation.xml(.attribute))
        try visitor.member("value", \.value, .client.xml(.text))
    }
}

extension Datapoint: Codable, JSONReadable {
    /// Reads a datapoint by the leniency table of §10.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a datapoint by the leniency table of §10.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
