internal import GRDB

/// An index that finds the messages with some property.
///
/// It can lead a look-up, or be asked whether messages are among its hits.
struct HitSource {
    /// A table, which is in no other source of the same look-up.
    let table: String
    /// The column with the local id of the message.
    let localID: String
    let condition: String
    let arguments: StatementArguments
    /// The condition for known messages, where that of the look-up searches an index that only gives candidates.
    var probeCondition: String?
    var probeArguments: StatementArguments?

    /// Whether opening the index takes longer than reading many hits from it.
    var isFullText = false

    /// The condition that a message `m` is among the hits.
    var probe: (sql: String, arguments: StatementArguments) {
        let condition = probeCondition ?? condition
        let arguments = probeArguments ?? arguments
        // SQLite reads the hits of the first form once, and searches by the second form for each message.
        return isFullText
            ? ("m.local_id IN (SELECT \(localID) FROM \(table) WHERE \(condition))", arguments)
            : ("EXISTS (SELECT 1 FROM \(table) WHERE \(condition) AND \(localID) = m.local_id)", arguments)
    }

    /// The number of hits, of all channels, up to a limit: counting all would cost more than many a look-up.
    func count(upTo limit: Int, in database: Database) throws -> Int {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE \(condition) LIMIT ?)"
        return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: arguments + [limit]) ?? 0
    }

    /// The hits between the lowest and the highest of some local ids, or among them only if they are far apart.
    func hits(among localIDs: [Int64], in database: Database) throws -> Set<Int64> {
        let condition = probeCondition ?? condition
        let arguments = probeArguments ?? arguments
        guard let range = Self.denseRange(of: localIDs) else {
            let sql = """
                SELECT \(localID) FROM json_each(?) AS list CROSS JOIN \(table) ON \(localID) = list.value WHERE \(condition)
                """
            return try Int64.fetchSet(
                database.cachedStatement(sql: sql),
                arguments: [JSONList.text(localIDs)] + arguments
            )
        }
        let sql = "SELECT \(localID) FROM \(table) WHERE \(condition) AND \(localID) BETWEEN ? AND ?"
        return try Int64.fetchSet(
            database.cachedStatement(sql: sql),
            arguments: arguments + [range.lowerBound, range.upperBound]
        )
    }

    /// The range from the lowest to the highest of some local ids; `nil` if most of it is something else. To read a hit of a
    /// range takes 0.1 µs, to open the full-text index for one row 20 to 400 µs.
    static func denseRange(of localIDs: [Int64]) -> ClosedRange<Int64>? {
        guard let lowest = localIDs.min(), let highest = localIDs.max(),
            highest - lowest <= 2000 * Int64(localIDs.count)
        else { return nil }
        return lowest...highest
    }
}

extension HitSource {
    static func fullText(_ pattern: String) -> Self { Self(fullText: "message_fts", pattern) }
    static func characters(_ pattern: String) -> Self { Self(fullText: "message_cjk", pattern) }
    static func placeName(_ pattern: String) -> Self { Self(fullText: "location_fts", pattern) }

    private init(fullText table: String, _ pattern: String) {
        self.init(
            table: table,
            localID: "\(table).rowid",
            condition: "\(table) MATCH ?",
            arguments: [pattern],
            isFullText: true
        )
    }

    static func hashtag(_ name: String) -> Self {
        Self(
            table: "hashtag_instance",
            localID: "hashtag_instance.local_id",
            condition: "hashtag_instance.folded = ?",
            arguments: [FoldedText.hashtag(name)]
        )
    }

    static func annotation(_ type: String) -> Self {
        Self(
            table: "annotation_instance",
            localID: "annotation_instance.local_id",
            condition: "annotation_instance.type = ?",
            arguments: [type]
        )
    }

    /// The messages at a place: of the same name and near it.
    static func place(_ location: DisplayLocation, _ precision: LocationPrecision) -> Self {
        let box = LocationBox(latitude: location.latitude, longitude: location.longitude, precision: precision)
        let name: StatementArguments = [FoldedText.placeName(location.name)]
        let exact = box.exact(latitude: "place.latitude", longitude: "place.longitude")
        let candidates = box.candidates
        return Self(
            table: "location_instance AS place",
            localID: "place.local_id",
            condition: "place.local_id IN (\(candidates.sql)) AND place.name = ? AND \(exact.sql)",
            arguments: candidates.arguments + name + exact.arguments,
            probeCondition: "place.name = ? AND \(exact.sql)",
            probeArguments: name + exact.arguments
        )
    }
}
