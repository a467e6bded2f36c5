internal import GRDB

/// An index that finds the messages with some property.
///
/// It can lead a look-up, or be checked for whether messages are among its hits.
struct HitSource {
    /// A table, which no other source of the same look-up uses.
    let table: String
    /// The column with the local id of the message.
    let localID: String
    var condition: String
    var arguments: StatementArguments
    /// The condition for known messages, if the look-up's condition searches an index that only returns candidates.
    var probeCondition: String?
    var probeArguments: StatementArguments?

    /// The rank of a hit of a full-text index; `nil` for other sources.
    ///
    /// Opening a full-text index takes longer than reading many hits from it.
    var rank: String?

    private var isFullText: Bool { rank != nil }

    /// The condition that a message `m` is among the hits.
    var probe: (sql: String, arguments: StatementArguments) {
        let condition = probeCondition ?? condition
        let arguments = probeArguments ?? arguments
        // SQLite reads the hits of the first form once. It searches with the second form for each message.
        return isFullText
            ? ("m.local_id IN (SELECT \(localID) FROM \(table) WHERE \(condition))", arguments)
            : ("EXISTS (SELECT 1 FROM \(table) WHERE \(condition) AND \(localID) = m.local_id)", arguments)
    }

    /// Returns the number of hits in all channels, up to a limit. Counting all would often cost more than the look-up.
    func count(upTo limit: Int, in database: Database) throws -> Int {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE \(condition) LIMIT ?)"
        return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: arguments + [limit]) ?? 0
    }

    /// Returns the hits among local ids, and hits between them.
    func hits(among localIDs: [Int64], in database: Database) throws -> Set<Int64> {
        let condition = probeCondition ?? condition
        let arguments = probeArguments ?? arguments
        let sql = "SELECT \(localID) FROM \(table) WHERE \(condition) AND \(localID) BETWEEN ? AND ?"
        let statement = try database.cachedStatement(sql: sql)
        var hits: Set<Int64> = []
        for cluster in Self.clusters(of: localIDs) {
            let bounds: StatementArguments = [cluster.range.lowerBound, cluster.range.upperBound]
            let rows = try Int64.fetchCursor(statement, arguments: arguments + bounds)
            while let localID = try rows.next() { hits.insert(localID) }
        }
        return hits
    }

    /// Local ids that are close to each other, in ascending order.
    struct Cluster {
        var localIDs: [Int64]

        var range: ClosedRange<Int64> { localIDs[0]...localIDs[localIDs.count - 1] }
    }

    /// The largest distance within a cluster.
    ///
    /// Reading a hit of a range takes 0.1 µs. Opening the full-text index for another range takes 20 to 400 µs.
    private static let maximumGap: Int64 = 500

    /// Splits local ids at large distances.
    ///
    /// The messages of a page need not be close to each other: a full sync stores the newest messages first, and
    /// messages that arrive later follow the oldest.
    static func clusters(of localIDs: [Int64]) -> [Cluster] {
        var clusters: [Cluster] = []
        var current: [Int64] = []
        for localID in localIDs.sorted() {
            if let last = current.last, localID - last > maximumGap {
                clusters.append(Cluster(localIDs: current))
                current.removeAll()
            }
            current.append(localID)
        }
        if !current.isEmpty { clusters.append(Cluster(localIDs: current)) }
        return clusters
    }
}

extension HitSource {
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

    /// Returns the source for the messages at a place: with the same name and nearby.
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
