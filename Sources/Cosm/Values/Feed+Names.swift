internal import HeliumJSON

extension Feed {
    /// Whether a feed was written to lately.
    public struct Status: OpenName {
        /// The name.
        public let rawValue: String

        /// A status by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }
}

extension Feed.Status {
    /// A write came within the last 15 minutes.
    public static let live = Self(rawValue: "live")
    /// None did.
    public static let frozen = Self(rawValue: "frozen")
}

extension Location {
    /// Whether a place is a real one.
    public struct Domain: OpenName {
        /// The name.
        public let rawValue: String

        /// A domain by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }

    /// Whether a place is under a roof.
    public struct Exposure: OpenName {
        /// The name.
        public let rawValue: String

        /// An exposure by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }

    /// Whether a place moves.
    public struct Disposition: OpenName {
        /// The name.
        public let rawValue: String

        /// A disposition by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }
}

extension Location.Domain {
    /// In the world.
    public static let physical = Self(rawValue: "physical")
    /// In a simulation or a service.
    public static let virtual = Self(rawValue: "virtual")
}

extension Location.Exposure {
    /// Inside.
    public static let indoor = Self(rawValue: "indoor")
    /// In the open.
    public static let outdoor = Self(rawValue: "outdoor")
}

extension Location.Disposition {
    /// It stays where it is.
    public static let fixed = Self(rawValue: "fixed")
    /// It moves: each write of coordinates adds a waypoint.
    public static let mobile = Self(rawValue: "mobile")
}
