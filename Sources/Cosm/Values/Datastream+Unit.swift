public import HeliumJSON

extension Datastream {
    /// What a datastream's values count (§10).
    public struct Unit: Hashable, Sendable {
        /// The unit's name: `Celsius`.
        public var label: String?

        /// Its symbol: `C`.
        public var symbol: String?

        /// What kind of unit it is.
        public var type: Kind?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A unit of these members.
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

    /// How points of an interval became one.
    public struct Function: OpenName {
        /// The name.
        public let rawValue: String

        /// A function by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }
}

extension Datastream.Function {
    /// The mean of the points.
    public static let average = Self(rawValue: "average")
}

extension Datastream.Unit {
    /// The kinds of units that EEML tells apart. The server takes no others; documents have some.
    public struct Kind: OpenName {
        /// The name.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }
}

extension Datastream.Unit.Kind {
    /// A base unit: metre, kelvin.
    public static let basicSI = Self(rawValue: "basicSI")
    /// Derived from base units: newton, degree Celsius.
    public static let derivedSI = Self(rawValue: "derivedSI")
    /// Converted from others by a factor.
    public static let conversionBasedUnits = Self(rawValue: "conversionBasedUnits")
    /// Derived from any others.
    public static let derivedUnits = Self(rawValue: "derivedUnits")
    /// What makes sense only where it is used.
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

extension Datastream.Unit: Codable, JSONReadable {
    /// Reads a unit by the leniency table of §10.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a unit by the leniency table of §10.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
