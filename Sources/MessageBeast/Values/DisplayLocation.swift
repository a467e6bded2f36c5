public import AppNet

/// The place to show with a message.
public struct DisplayLocation: Hashable, Sendable {
    /// The annotation that a place was derived from.
    public enum Source: String, Hashable, Sendable {
        /// A check-in (`net.app.core.checkin`).
        case checkin
        /// A place that the writer described (`net.app.ohai.location`).
        case ohai
        /// Coordinates whose name was looked up (`net.app.core.geolocation`).
        case geolocation
    }

    /// The name.
    public var name: String

    /// A shorter name: the district.
    public var shortName: String?

    /// The id of a check-in's place.
    public var factualID: Place.ID?

    /// Degrees north.
    public var latitude: Double

    /// Degrees east.
    public var longitude: Double

    /// The annotation that the place was derived from.
    public var source: Source

    /// Creates a place.
    public init(
        name: String,
        shortName: String? = nil,
        factualID: Place.ID? = nil,
        latitude: Double,
        longitude: Double,
        source: Source
    ) {
        self.name = name
        self.shortName = shortName
        self.factualID = factualID
        self.latitude = latitude
        self.longitude = longitude
        self.source = source
    }
}

/// The distance within which two places count as the same, in degrees.
public struct LocationPrecision: Hashable, Sendable {
    /// The distance in degrees, in each direction.
    public let degrees: Double

    /// Creates a precision in degrees, a positive number.
    public init(degrees: Double) { self.degrees = degrees }

    /// About 100 metres of latitude: 0.001°.
    public static let hundredMeters = Self(degrees: 0.001)
    /// About 1 kilometre of latitude: 0.01°.
    public static let oneKilometer = Self(degrees: 0.01)
    /// About 10 kilometres of latitude: 0.1°.
    public static let tenKilometers = Self(degrees: 0.1)
}

/// The names found by a reverse geocoder for coordinates.
public struct GeocodedLocation: Hashable, Sendable {
    /// The town.
    public var locality: String?

    /// The district of the town.
    public var subLocality: String?

    /// Creates names for coordinates.
    public init(locality: String? = nil, subLocality: String? = nil) {
        self.locality = locality
        self.subLocality = subLocality
    }

    /// The district and the town, as `district, town`, or the only one of them; `nil` if there is none.
    package var name: String? {
        let parts = [subLocality, locality].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// A place with an id that the app chose.
public struct CustomPlace: Hashable, Sendable {
    /// The id.
    public var id: String

    /// The name, the coordinates and the address.
    public var place: Place

    /// Creates a place with an id.
    public init(id: String, place: Place) {
        self.id = id
        self.place = place
    }
}

/// A place from the cache.
public struct CachedPlace: Hashable, Sendable, Identifiable {
    /// The factual id, or the id of a custom place.
    public let id: String

    /// Whether the id is that of a custom place.
    public let isCustom: Bool

    /// The name, the coordinates and the address.
    public let place: Place
}
