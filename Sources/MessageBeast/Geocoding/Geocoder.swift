/// Finds names for coordinates: a service that the app chooses.
///
/// The engine asks for one place at a time, waits ``MessageManager/Options/geocoderInterval`` between requests, and asks once
/// for all messages whose coordinates are equal in three decimals.
public protocol Geocoder: Sendable {
    /// The names of a place, the best match first. Empty if there are none.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east.
    /// - Throws: Any error. The engine asks again later: after two seconds, then after longer and longer delays of up to six
    ///   hours.
    func places(latitude: Double, longitude: Double) async throws -> [GeocodedLocation]
}

extension GeocodedLocation {
    /// The names to show: the first district, with the town of that match or of the next one that has a town. Without any
    /// district, the first town.
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
