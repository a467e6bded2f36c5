internal import Foundation
internal import HeliumJSON
internal import HeliumServerKit

/// A place of the server's directory (Docs/Protocols/AppNet.md §3.5).
struct PlaceRecord: Hashable, Sendable {
    let id: String
    let name: String
    let address: String
    let postcode: String
    /// The position in degrees.
    let latitude: Double
    let longitude: Double
    let isOpen: Bool
    let telephone: String?
    let website: String?
    let category: PlaceCategory
}

/// The category of a place. Its labels go from the general to the specific.
struct PlaceCategory: Hashable, Sendable {
    let id: String
    let labels: [String]
}

extension PlaceRecord {
    /// Returns the JSON object of the place. Searches include `distance`, in meters.
    func rendered(distance: Double? = nil) -> JSONValue {
        var members: JSONObject = [
            "factual_id": .string(id), "name": .string(name),
            "address": .string(address), "locality": .string(PlaceDirectory.town),
            "region": .string("LK"), "postcode": .string(postcode),
            "country_code": .string("zz"), "latitude": .number(latitude),
            "longitude": .number(longitude), "is_open": .bool(isOpen),
        ]
        if let telephone { members["telephone"] = .string(telephone) }
        if let website { members["website"] = .string(website) }
        members["categories"] = [["id": .string(category.id), "labels": .array(category.labels.map(JSONValue.string))]]
        if let distance { members["distance"] = .number(distance) }
        return .object(members)
    }

    /// Returns the distance to a point on a spherical earth, in meters.
    func distance(latitude: Double, longitude: Double) -> Double {
        let radius = 6_371_008.8
        let degree = Double.pi / 180
        let north = (latitude - self.latitude) * degree
        let east = (longitude - self.longitude) * degree
        // The haversine formula is accurate for small distances, unlike the spherical law of cosines.
        let part =
            pow(sin(north / 2), 2) + cos(self.latitude * degree) * cos(latitude * degree) * pow(sin(east / 2), 2)
        return 2 * radius * asin(min(1, part.squareRoot()))
    }
}
