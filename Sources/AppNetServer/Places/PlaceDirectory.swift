/// The places that the server knows: those of a fictional town, which do not change.
enum PlaceDirectory {
    /// The name of the town.
    static let town = "Larkfield"
    /// The center of the town, in degrees.
    static let center = (latitude: 46.5, longitude: 7.25)

    /// All places. Their ids never change.
    static let places: [PlaceRecord] = (0..<40).map(place)

    /// Returns the place with `id`, or the one into which it was merged (Docs/Protocols/AppNet.md §2.8).
    static func place(_ id: String) -> PlaceRecord? {
        let id = id.lowercased()
        return byID[merged[id] ?? id]
    }

    /// Returns the places within the search radius in meters, nearest first, with their distances.
    static func search(_ question: PlaceQuestion) -> [(place: PlaceRecord, distance: Double)] {
        let words = question.name?.lowercased()
        let found = places.lazy
            .filter { $0.isOpen || !question.removesClosed }
            .filter { place in words.map { place.name.lowercased().contains($0) } ?? true }
            .map { ($0, $0.distance(latitude: question.latitude, longitude: question.longitude)) }
            .filter { $0.1 <= question.radius }
        return Array(found.sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }.prefix(question.count))
    }

    private static let byID = Dictionary(uniqueKeysWithValues: places.map { ($0.id, $0) })

    /// Ids of places that were merged into another place.
    private static let merged = [id(900): id(0)]

    private static func id(_ number: Int) -> String {
        let digits = String(number)
        return "7d1f0c3a-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private static let streets = ["Mill Lane", "Station Road", "Harbour Street", "Lark Square", "Orchard Way"]
    private static let owners = ["Old", "Green", "Little", "Upper", "Blue", "Corner", "River", "Golden"]
    private static let kinds: [(name: String, category: PlaceCategory)] = [
        ("Bakery", PlaceCategory(id: "312", labels: ["Social", "Food and Dining", "Bakeries"])),
        ("Library", PlaceCategory(id: "29", labels: ["Community and Government", "Libraries"])),
        ("Railway Station", PlaceCategory(id: "429", labels: ["Transportation", "Transport Hubs", "Rail Stations"])),
        ("Park", PlaceCategory(id: "118", labels: ["Landmarks", "Parks"])),
        ("Coffee House", PlaceCategory(id: "342", labels: ["Social", "Food and Dining", "Cafes, Coffee and Tea"])),
    ]

    /// Returns a place on a spiral around the center. The first places are 50 m apart, and the last one is 4 km away.
    private static func place(_ number: Int) -> PlaceRecord {
        let directions: [(Double, Double)] = [(1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1)]
        let direction = directions[number % directions.count]
        // A ten-thousandth of a degree is about 11 m to the north and 8 m to the east.
        let steps = Double(number * number) * 0.000_02 + Double(number) * 0.000_2
        let kind = kinds[number % kinds.count]
        let name = "\(owners[number % owners.count]) \(kind.name)"
        return PlaceRecord(
            id: id(number),
            name: name,
            address: "\(number * 3 + 1) \(streets[number % streets.count])",
            postcode: "LK\(100 + number)",
            latitude: center.latitude + direction.0 * steps,
            longitude: center.longitude + direction.1 * steps,
            isOpen: number % 10 != 9,
            telephone: number % 2 == 0 ? "555-01\(number < 10 ? "0" : "")\(number)" : nil,
            website: number % 3 == 0 ? "https://example.com/places/\(number)" : nil,
            category: kind.category
        )
    }
}

/// The parameters of a search (Docs/Protocols/AppNet.md §2.8).
struct PlaceQuestion: Hashable, Sendable {
    /// The center of the search, in degrees.
    var latitude: Double
    var longitude: Double
    /// The radius in meters.
    var radius = 100.0
    /// A part of the name; `nil` for any name.
    var name: String?
    var count = 20
    var removesClosed = true
}
