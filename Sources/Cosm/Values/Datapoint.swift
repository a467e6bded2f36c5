public import HeliumJSON

/// A datapoint: a value at an instant (Docs/Protocols/Cosm.md §6).
public struct Datapoint: Hashable, Sendable {
    /// The instant of the value. Storing a point requires it.
    public var at: Timestamp?

    /// The value.
    public var value: DatapointValue?

    /// The unknown members of the document. They are encoded unless a property has the same name.
    public var extra = JSONObject()

    /// Creates a datapoint.
    public init(at: Timestamp? = nil, value: DatapointValue? = nil, extra: JSONObject = [:]) {
        self.at = at
        self.value = value
        self.extra = extra
    }
}

extension Datapoint: CosmRecord {
    init() { self.init(at: nil) }

    // Inlined into readers and writers, because histories are long.
    @inline(__always)
    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("at", \.at, .clientAtCreation.xml(.attribute))
        try visitor.member("value", \.value, .client.xml(.text))
    }
}

extension Datapoint: Codable, JSONReadable {}
