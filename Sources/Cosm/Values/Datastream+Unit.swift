public import HeliumJSON

extension Datastream {
    /// The unit of a datastream's values (Docs/Protocols/Cosm.md §10).
    public struct Unit: Hashable, Sendable {
        /// The name of the unit: `Celsius`.
        public var label: String?

        /// The symbol of the unit: `C`.
        public var symbol: String?

        /// The kind of the unit.
        public var type: Kind?

        /// The unknown members of the document. They are encoded unless a property has the same name.
        public var extra = JSONObject()

        /// Creates a unit.
        public init(
            label: String? = nil,
            symbol: String? = nil,
            type: Kind? = nil,
            extra: JSONObject = [:]
        ) {
            self.label = label
            self.symbol = symbol
            self.type = type
            self.extra = extra
        }
    }

    /// An aggregate function for the points of an interval.
    public struct Function: OpenName {
        /// The name.
        public let rawValue: String

        /// Creates a function from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension Datastream.Function {
    /// The mean of the points.
    public static let average = Self(rawValue: "average")
}

extension Datastream.Unit {
    /// A kind of unit in EEML. The server accepts only the kinds below, but documents have others as well.
    public struct Kind: OpenName {
        /// The name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension Datastream.Unit.Kind {
    /// A base unit, for example metre or kelvin.
    public static let basicSI = Self(rawValue: "basicSI")
    /// A unit derived from base units, for example newton or degree Celsius.
    public static let derivedSI = Self(rawValue: "derivedSI")
    /// A unit converted from others by a factor.
    public static let conversionBasedUnits = Self(rawValue: "conversionBasedUnits")
    /// A unit derived from any other units.
    public static let derivedUnits = Self(rawValue: "derivedUnits")
    /// A unit that is meaningful only in its context.
    public static let contextDependentUnits = Self(rawValue: "contextDependentUnits")
}

extension Datastream.Unit: CosmRecord {
    init() { self.init(label: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("label", \.label, .client.xml(.text))
        try visitor.member("symbol", \.symbol, .client.xml(.attribute))
        try visitor.member("type", \.type, .client.xml(.attribute))
    }
}

extension Datastream.Unit: Codable, JSONReadable {}
