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

    /// Stores the location of a message without one, for example after the geocoder found its name.
    ///
    /// - Parameter indexing: Whether the row is added to the full-text index at once, rather than with its page.
    func insert(_ location: DisplayLocation, of localID: Int64, indexing: Bool) throws {
        let rows = PendingRows()
        rows.append(location, of: localID)
        try rows.insert(in: database)
        if indexing { try index(localID...localID) }
    }

    /// Removes the location of a message and its entry in the geocoder's queue.
    func delete(of localID: Int64) throws {
        try database.cachedStatement(sql: "DELETE FROM location_instance WHERE local_id = ?")
            .execute(arguments: [localID])
        try GeolocationTable(database: database).dequeue(localID)
    }

    /// Adds new locations to the full-text index.
    func index(_ range: ClosedRange<Int64>) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO location_fts (rowid, name)
                SELECT local_id, name FROM location_instance WHERE local_id BETWEEN ? AND ?
                """
        ).execute(arguments: [range.lowerBound, range.upperBound])
    }
}
