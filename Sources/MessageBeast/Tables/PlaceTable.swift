internal import AppNet
internal import GRDB
internal import HeliumJSON

/// A place of the cache.
struct PlaceRecord: Hashable, Sendable {
    let id: String
    let name: String
    let coordinates: Coordinates
    let isCustom: Bool
    /// The annotation's value.
    let json: String

    init(id: String, name: String, _ coordinates: Coordinates, isCustom: Bool, _ value: JSONObject) {
        self.init(id: id, name: name, coordinates, isCustom: isCustom, json: JSONValue.object(value).text())
    }

    init(id: String, name: String, _ coordinates: Coordinates, isCustom: Bool, json: String) {
        self.id = id
        self.name = FoldedText.placeName(name)
        self.coordinates = coordinates
        self.isCustom = isCustom
        self.json = json
    }

    /// The location of a message that was written at the place.
    var checkin: DisplayLocation {
        DisplayLocation(
            name: name,
            factualID: Place.ID(id),
            latitude: coordinates.latitude,
            longitude: coordinates.longitude,
            source: .checkin
        )
    }

    var value: CachedPlace {
        let place = try? HeliumJSONDecoder().decode(Place.self, from: json)
        var described = Place(name: name)
        described.latitude = coordinates.latitude
        described.longitude = coordinates.longitude
        return CachedPlace(id: id, isCustom: isCustom, place: place ?? described)
    }
}

struct PlaceTable {
    let database: Database

    static let columns = "place.id, place.name, place.latitude, place.longitude, place.is_custom, place.json"

    func place(_ id: String) throws -> PlaceRecord? {
        let statement = try database.cachedStatement(sql: "SELECT \(Self.columns) FROM place WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).flatMap(Self.record)
    }

    static func record(_ row: Row) -> PlaceRecord? {
        guard let coordinates = Coordinates(latitude: row[2], longitude: row[3]) else { return nil }
        return PlaceRecord(id: row[0], name: row[1], coordinates, isCustom: row[4], json: row[5])
    }

    /// The sort key of the place of a message `m`. The places of unsent messages precede those of all sent ones: a
    /// message has its final position only when it is sent, and a higher key would prevent later names until then.
    static let sortKey = """
        CASE WHEN m.kind = 'sent' THEN m.sort_key ELSE m.sort_key - \(MessageTable.unsentSortKey) + \(Int64.min) END
        """

    /// Stores a place and adds it to the full-text index. It replaces a version of the place from an older message.
    ///
    /// - Parameter localID: The message that contains the place.
    func save(_ place: PlaceRecord, of localID: Int64) throws {
        let values: StatementArguments = [
            place.id, place.name, place.coordinates.latitude, place.coordinates.longitude,
            place.coordinates.latitudeKey, place.coordinates.longitudeKey, place.isCustom, place.json, localID,
        ]
        // Messages are not stored in the order of their ids: a full sync starts with the newest.
        try database.cachedStatement(
            sql: """
                UPDATE place SET
                    name = ?2, latitude = ?3, longitude = ?4, lat_key = ?5, lon_key = ?6, is_custom = ?7, json = ?8,
                    sort_key = m.sort_key
                FROM (SELECT \(Self.sortKey) AS sort_key FROM message AS m WHERE m.local_id = ?9) AS m
                WHERE id = ?1 AND place.sort_key <= m.sort_key AND (place.sort_key < m.sort_key OR json <> ?8)
                """
        ).execute(arguments: values)
        if database.changesCount == 0 {
            try database.cachedStatement(
                sql: """
                    INSERT INTO place (id, name, latitude, longitude, lat_key, lon_key, is_custom, json, sort_key)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, (
                        SELECT \(Self.sortKey) FROM message AS m WHERE m.local_id = ?9
                    ))
                    ON CONFLICT (id) DO NOTHING
                    """
            ).execute(arguments: values)
            guard database.changesCount > 0 else { return }
        }
        let statement = try database.cachedStatement(sql: "SELECT key FROM place WHERE id = ?")
        guard let key = try Int64.fetchOne(statement, arguments: [place.id]) else { return }
        try WordIndex.places.insertIfMissing(IndexedText.words(of: place.name), of: key, in: database)
    }

    func delete(_ id: String) throws {
        try database.cachedStatement(sql: "DELETE FROM place WHERE id = ?").execute(arguments: [id])
    }

    func deleteAll() throws { try database.execute(sql: "DELETE FROM place") }
}
