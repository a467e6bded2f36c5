internal import HeliumCore

/// The calls of places (§2.8). App.net only.
public struct PlaceCalls: Sendable {
    let client: AppNetClient

    /// A place; its id may be another one, of the same place.
    ///
    /// `GET places/{factual_id}`; any token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ id: Place.ID) async throws -> Place {
        try await client.value(CallRequest(.place, ["place": id.text]))
    }

    /// Places around a point, the nearest first.
    ///
    /// `GET places/search`; a user token.
    ///
    /// - Throws: ``AppNetError``, before anything is sent for what can't be a point or a radius; `CancellationError`.
    public func search(_ search: PlaceSearch) async throws -> [Place] {
        try await client.value(CallRequest(.searchPlaces, query: try search.query()))
    }
}

/// Which places to look for (§2.8).
public struct PlaceSearch: Hashable, Sendable {
    /// Degrees, −90 to 90.
    public var latitude: Double

    /// Degrees, −180 to 180.
    public var longitude: Double

    /// A part of the name.
    public var text: String?

    /// How far away at most, in metres, 0.001 to 50,000. The service's default: 100.
    public var radius: Double?

    /// How many at most, 1 to 100. The service's default: 20.
    public var count: Int?

    /// Whether closed ones are left out. The service's default: yes.
    public var removesClosed: Bool?

    /// Height in metres; the service doesn't use it.
    public var altitude: Double?

    /// How exact the point is, in metres; the service doesn't use it.
    public var horizontalAccuracy: Double?

    /// How exact the height is, in metres; the service doesn't use it.
    public var verticalAccuracy: Double?

    /// Places around a point.
    public init(latitude: Double, longitude: Double, text: String? = nil, radius: Double? = nil, count: Int? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.text = text
        self.radius = radius
        self.count = count
    }
}

extension PlaceSearch {
    func query() throws(AppNetError) -> QueryParameters {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw AppNetError(.invalidRequest, "latitude \(latitude), longitude \(longitude) is no point on the earth")
        }
        if let radius, !(0.001...50_000).contains(radius) {
            throw AppNetError(.invalidRequest, "the radius is 0.001 to 50,000 m, not \(radius)")
        }
        if let count, !(1...100).contains(count) {
            throw AppNetError(.invalidRequest, "1 to 100 places can be asked for, not \(count)")
        }
        return [
            "altitude": altitude, "count": count, "horizontal_accuracy": horizontalAccuracy, "latitude": latitude,
            "longitude": longitude, "q": text, "radius": radius, "remove_closed": removesClosed.map { $0 ? 1 : 0 },
            "vertical_accuracy": verticalAccuracy,
        ]
    }
}
