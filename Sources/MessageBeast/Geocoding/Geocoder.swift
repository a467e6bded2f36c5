/// A service, chosen by the app, that finds names for coordinates.
///
/// The engine makes one request at a time and waits ``MessageManager/Options/geocoderInterval`` between requests. It
/// makes one request for all messages whose coordinates agree in three decimals.
public protocol Geocoder: Sendable {
    /// Returns the names of a place, the best match first; empty if there are none.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east.
    /// - Throws: Any error. The engine retries with growing delays, from two seconds to six hours.
    func places(latitude: Double, longitude: Double) async throws -> [GeocodedLocation]
}

extension GeocodedLocation {
    /// Chooses the names to show: the first district, with the town of that match or of the next match that has a town.
    /// Without any district, the first town.
    init(choosing matches: [GeocodedLocation]) {
        func isNamed(_ name: String?) -> Bool { !(name ?? "").isEmpty }
        guard let district = matches.firstIndex(where: { isNamed($0.subLocality) }) else {
            self.init(locality: matches.first { isNamed($0.locality) }?.locality)
            return
        }
        let town = matches[district...].first { isNamed($0.locality) }?.locality
        self.init(locality: town, subLocality: matches[district].subLocality)
    }
}
