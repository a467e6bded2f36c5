public import HeliumJSON

extension StreamFilter {
    /// The rule that combines the clauses of a filter.
    public struct MatchPolicy: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a value from its name in the API.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Passes events that match at least one clause.
        public static let includeAny = Self(rawValue: "include_any")

        /// Passes events that match all clauses.
        public static let includeAll = Self(rawValue: "include_all")

        /// Blocks events that match at least one clause.
        public static let excludeAny = Self(rawValue: "exclude_any")

        /// Blocks events that match all clauses.
        public static let excludeAll = Self(rawValue: "exclude_all")
    }
}

extension StreamFilter.MatchPolicy: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {}

extension StreamFilter {
    /// The comparison of a clause.
    public struct Comparison: Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a value from its name in the API.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The field equals the value.
        public static let equals = Self(rawValue: "equals")

        /// The field matches the value.
        public static let matches = Self(rawValue: "matches")

        /// The field is less than the value.
        public static let less = Self(rawValue: "lt")

        /// The field is less than or equal to the value.
        public static let atMost = Self(rawValue: "le")

        /// The field is greater than the value.
        public static let greater = Self(rawValue: "gt")

        /// The field is greater than or equal to the value.
        public static let atLeast = Self(rawValue: "ge")

        /// The field is one of the values in a list.
        public static let oneOf = Self(rawValue: "one_of")
    }
}

extension StreamFilter.Comparison: OpenName, Codable, JSONReadable, ExpressibleByStringLiteral {}
