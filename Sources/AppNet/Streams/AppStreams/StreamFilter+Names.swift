public import HeliumJSON

extension StreamFilter {
    /// How a filter's clauses are joined.
    public struct MatchPolicy: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// The name as the service has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// What meets one passes.
        public static let includeAny = Self(rawValue: "include_any")

        /// What meets all passes.
        public static let includeAll = Self(rawValue: "include_all")

        /// What meets one is held back.
        public static let excludeAny = Self(rawValue: "exclude_any")

        /// What meets all is held back.
        public static let excludeAll = Self(rawValue: "exclude_all")
    }
}

extension StreamFilter.MatchPolicy: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {
    /// The name.
    public var description: String { rawValue }

    /// The name as the service has it.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Reads a text.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}

extension StreamFilter {
    /// How a clause compares.
    public struct Comparison: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// The name as the service has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The same.
        public static let equals = Self(rawValue: "equals")

        /// A match.
        public static let matches = Self(rawValue: "matches")

        /// Less.
        public static let less = Self(rawValue: "lt")

        /// Less or equal.
        public static let atMost = Self(rawValue: "le")

        /// Greater.
        public static let greater = Self(rawValue: "gt")

        /// Greater or equal.
        public static let atLeast = Self(rawValue: "ge")

        /// One of a list.
        public static let oneOf = Self(rawValue: "one_of")
    }
}

extension StreamFilter.Comparison: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {
    /// The name.
    public var description: String { rawValue }

    /// The name as the service has it.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Reads a text.
    public init(from decoder: any Decoder) throws { self = try Self(wireFrom: decoder) }

    /// Reads a text.
    public init(json: borrowing JSONReader) throws { self = try Self(wireJSON: json) }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws { try encode(wireTo: encoder) }
}
