internal import AppNet
internal import GRDB

/// The display locations of messages. Triggers maintain the R*Tree.
struct LocationTable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// The result of the rules for a message's location.
    enum Resolution {
        case location(DisplayLocation)
        /// Coordinates whose name is not known yet.
        case unnamed(Coordinates)
    }

    /// Returns the location of the first rule that succeeds, and stores the place of that rule.
    func resolve(_ rules: [LocationRule], of localID: Int64) throws -> Resolution? {
        for rule in rules {
            switch rule {
            case .complete(let location, let place):
                if let place { try PlaceTable(database: database).save(place, of: localID) }
                return .location(location)
            case .cachedPlace(let id):
                guard let place = try PlaceTable(database: database).place(id) else { continue }
                return .location(place.checkin)
            case .geocoded(let coordinates):
                let known = try GeolocationTable(database: database).location(at: coordinates)
                return known.map(Resolution.location) ?? .unnamed(coordinates)
            }
        }
        return nil
    }
}
