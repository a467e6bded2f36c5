internal import HeliumJSON

extension Feed {
    /// The status of a feed: whether it was written to recently.
    public struct Status: OpenName {
        /// The name.
        public let rawValue: String

        /// Creates a status from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension Feed.Status {
    /// The feed was written to within the last 15 minutes.
    public static let live = Self(rawValue: "live")
    /// The feed was not written to within the last 15 minutes.
    public static let frozen = Self(rawValue: "frozen")
}

extension Location {
    /// The domain of a location: physical or virtual.
    public struct Domain: OpenName {
        /// The name.
        public let rawValue: String

        /// Creates a domain from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The exposure of a location: indoor or outdoor.
    public struct Exposure: OpenName {
        /// The name.
        public let rawValue: String

        /// Creates an exposure from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The disposition of a location: fixed or mobile.
    public struct Disposition: OpenName {
        /// The name.
        public let rawValue: String

        /// Creates a disposition from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension Location.Domain {
    /// A location in the physical world.
    public static let physical = Self(rawValue: "physical")
    /// A location in a simulation or a service.
    public static let virtual = Self(rawValue: "virtual")
}

extension Location.Exposure {
    /// A location indoors.
    public static let indoor = Self(rawValue: "indoor")
    /// A location outdoors.
    public static let outdoor = Self(rawValue: "outdoor")
}

extension Location.Disposition {
    /// A location that does not change.
    public static let fixed = Self(rawValue: "fixed")
    /// A location that changes. Each write of coordinates adds a waypoint.
    public static let mobile = Self(rawValue: "mobile")
}
