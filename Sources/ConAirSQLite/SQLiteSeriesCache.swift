public import ConAir
internal import GRDB
internal import HeliumDatabase

/// A cache in a SQLite file.
///
/// ```swift
/// let cache = try SQLiteSeriesCache(path: "conair.sqlite")
/// let store = try TimeSeriesStore(source: source, step: .seconds(120), cache: cache)
/// ```
///
/// The file is in WAL mode, and only its owner may read it. It can contain any number of series, and several processes
/// may use it at the same time. Points stored by one process are read by another at the first collection of its store.
///
/// A damaged file is moved aside (``movedTo``), and a new, empty file is created: the points are fetched again from
/// their source. The damaged file is not moved while another process has it open. A file of a newer version or of
/// another program, and a file that was never a cache, are rejected and unchanged. A file whose name ends in `-lock`
/// remains beside each cache.
public final class SQLiteSeriesCache: SeriesCache {
    /// The absolute path of the file.
    public let path: String

    /// The path to which a damaged file was moved when the cache was opened; `nil` if the file was intact.
    public let movedTo: String?

    // Properties are released in this order: the connections before the lock.
    private let access: DatabaseAccess
    private let lock: CacheLock

    /// Opens a file. Creates the file if it is missing. Reads the file once to check it: about 0.1 s for a million
    /// points.
    ///
    /// - Parameter path: The path of the file. `file:x.sqlite` and `:memory:` are names of files, too, and not SQLite's
    ///   URIs and special names.
    /// - Throws: ``SeriesCacheError``.
    public init(path: String) throws {
        do {
            let file = CacheFile(path: path)
            let opened = try file.open()
            self.path = file.path
            movedTo = opened.movedTo
            lock = opened.lock
            access = DatabaseAccess(opened.pool, checking: CacheSchema.check)
        } catch {
            throw SeriesCacheError.translated(error)
        }
    }

    /// Closes the file. Later calls fail.
    ///
    /// The files that SQLite keeps beside it are removed, unless another process has the file open.
    ///
    /// - Throws: ``SeriesCacheError``.
    public func close() throws {
        do { try access.close() } catch { throw SeriesCacheError.translated(error) }
        lock.release()
    }
}

extension SQLiteSeriesCache {
    /// Returns the points of a series in the order of their times; empty if the series is unknown.
    ///
    /// - Throws: ``SeriesCacheError``; `CancellationError`.
    public func points(of key: SeriesKey) async throws -> [SeriesPoint] {
        do {
            return try await access.read { database in
                guard let series = try Self.series(key, in: database) else { return [] }
                let sql = "SELECT time, value FROM point WHERE series = ? ORDER BY time"
                let rows = try Row.fetchCursor(database, sql: sql, arguments: [series])
                var points: [SeriesPoint] = []
                while let row = try rows.next() {
                    points.append(SeriesPoint(time: SeriesTime(microseconds: row[0]), value: row[1]))
                }
                return points
            }
        } catch {
            throw SeriesCacheError.translated(error)
        }
    }

    /// Stores points and removes old ones, in one transaction.
    ///
    /// - Throws: ``SeriesCacheError``.
    public func store(
        _ points: [SeriesPoint],
        removingBefore boundary: SeriesTime?,
        of key: SeriesKey
    ) async throws {
        do {
            try await access.write { database in
                try database.execute(
                    sql: "INSERT OR IGNORE INTO series (source, step) VALUES (?, ?)",
                    arguments: [key.source, key.step.microseconds]
                )
                guard let series = try Self.series(key, in: database) else { return }
                let statement = try database.cachedStatement(
                    sql: """
                        INSERT INTO point (series, time, value) VALUES (?, ?, ?)
                        ON CONFLICT DO UPDATE SET value = excluded.value
                        """
                )
                for point in points {
                    try statement.execute(arguments: [series, point.time.microseconds, point.value])
                }
                if let boundary {
                    try database.execute(
                        sql: "DELETE FROM point WHERE series = ? AND time < ?",
                        arguments: [series, boundary.microseconds]
                    )
                }
            }
        } catch {
            throw SeriesCacheError.translated(error)
        }
    }

    private static func series(_ key: SeriesKey, in database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT id FROM series WHERE source = ? AND step = ?",
            arguments: [key.source, key.step.microseconds]
        )
    }
}

extension Duration {
    /// The duration in whole microseconds, truncated. The steps of stores are far from the limits.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : whole &+ attoseconds / 1_000_000_000_000
    }
}
