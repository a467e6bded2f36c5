internal import HeliumCore

/// The calls for places; App.net only (Docs/Protocols/AppNet.md §2.8).
public struct PlaceCalls: Sendable {
    let client: AppNetClient

    /// Returns a place. The result may have a different id for the same place.
    ///
    /// `GET places/{factual_id}`; any token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ id: Place.ID) async throws -> Place {
        try await client.value(CallRequest(.place, ["place": id.text]))
    }

    /// Returns the places around a point, nearest first.
    ///
    /// `GET places/search`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. An invalid point, altitude, radius or
    ///   count fails before anything is sent.
    public func search(_ search: PlaceSearch) async throws -> [Place] {
        try await client.value(CallRequest(.searchPlaces, query: try search.query()))
    }
}

/// A search for places (Docs/Protocols/AppNet.md §2.8).
public struct PlaceSearch: Hashable, Sendable {
    /// The latitude in degrees, from −90 to 90.
    public var latitude: Double

    /// The longitude in degrees, from −180 to 180.
    public var longitude: Double

    /// A part of the name.
    public var text: String?

    /// The maximum distance in metres, from 0.001 to 50,000. The service's default is 100.
    public var radius: Double?

    /// The maximum number of places, from 1 to 100. The service's default is 20.
    public var count: Int?

    /// Whether to leave out closed places. The service's default is `true`.
    public var removesClosed: Bool?

    /// The altitude in metres. The service does not use it.
    public var altitude: Double?

    /// The accuracy of the point in metres. The service does not use it.
    public var horizontalAccuracy: Double?

    /// The accuracy of the altitude in metres. The service does not use it.
    public var verticalAccuracy: Double?

    /// Creates a search for places around a point.
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
            throw AppNetError(.invalidRequest, "latitude \(latitude), longitude \(longitude) is out of range")
        }
        if let radius, !(0.001...50_000).contains(radius) {
            throw AppNetError(.invalidRequest, "the radius must be 0.001 to 50,000 m, not \(radius)")
        }
        if let count, !(1...100).contains(count) {
            throw AppNetError(.invalidRequest, "the count of places must be 1 to 100, not \(count)")
        }
        for metres in [altitude, horizontalAccuracy, verticalAccuracy].compactMap(\.self) where !metres.isFinite {
            throw AppNetError(.invalidRequest, "the altitude and the accuracies must be numbers, not \(metres)")
        }
        return [
            "altitude": altitude, "count": count, "horizontal_accuracy": horizontalAccuracy, "latitude": latitude,
            "longitude": longitude, "q": text, "radius": radius, "remove_closed": removesClosed.map { $0 ? 1 : 0 },
            "vertical_accuracy": verticalAccuracy,
        ]
    }
}
