/// The places that the server knows: a town that does not exist, always the same.
enum PlaceDirectory {
    /// The town's name.
    static let town = "Larkfield"
    /// Its middle, in degrees.
    static let center = (latitude: 46.5, longitude: 7.25)

    /// All places; their ids never change.
    static let places: [PlaceRecord] = (0..<40).map(place)

    /// The place with `id`, or the one that it was merged into (§2.8).
    static func place(_ id: String) -> PlaceRecord? {
        let id = id.lowercased()
        return byID[merged[id] ?? id]
    }

    /// Places within `radius` metres, the nearest first, each with its distance.
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

    /// An id that is known under another one now.
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

    /// On a spiral around the middle: 50 m apart at first, 4 km away at the end.
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

/// What a search asks for (§2.8).
struct PlaceQuestion: Hashable, Sendable {
    /// In degrees.
    var latitude: Double
    var longitude: Double
    /// In metres.
    var radius = 100.0
    /// A part of the name.
    var name: String?
    var count = 20
    var removesClosed = true
}
