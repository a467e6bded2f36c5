internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A user's position in a stream (Docs/Protocols/AppNet.md §3.5).
struct StreamMarker: Codable, Hashable, Sendable {
    var user: Int64
    var name: String
    var item: Int64
    var lastRead: Int64
    var percentage: Int
    var updated: Int64
    /// The version, which changes with every update.
    var version: String

    enum CodingKeys: String, CodingKey {
        case user, name, item
        case lastRead = "last_read"
        case percentage, updated, version
    }

    static let versionRadix = 36

    /// The number of the version; 0 for a stored text that is not a version.
    var versionNumber: Int64 { Int64(version, radix: Self.versionRadix).flatMap { $0 < .max ? $0 : nil } ?? 0 }

    var json: JSONValue {
        [
            "name": .string(name), "id": .id(item), "last_read_id": .id(lastRead), "percentage": .count(percentage),
            "updated_at": .string(AppNetDate.text(updated)), "version": .string(version),
        ]
    }
}

/// The names of markers (Docs/Protocols/AppNet.md §2.3).
enum MarkerName {
    private static let whole: Set<String> = ["global", "my_stream", "unified"]
    private static let prefixes = ["posts:", "mentions:", "tag:", "explore:", "channel:"]

    static func isValid(_ name: String) -> Bool {
        if whole.contains(name) { return true }
        return name.utf8.count <= 256 && prefixes.contains { name.hasPrefix($0) && name.count > $0.count }
    }

    /// Returns the channel of a marker; `nil` for other streams.
    static func channel(_ name: String) -> Int64? {
        name.hasPrefix("channel:") ? Int64(name.dropFirst("channel:".count)) : nil
    }
}

extension StreamMarker: FetchableRecord, PersistableRecord {
    static let databaseTableName = "appnet_marker"
}

/// The table of stream markers.
struct StreamMarkerTable {
    let database: Database

    func marker(_ name: String, of user: Int64) throws -> StreamMarker? {
        try StreamMarker.fetchOne(database, where: "user = ? AND name = ?", [user, name])
    }

    func count(of user: Int64) throws -> Int { try StreamMarker.fetchCount(database, where: "user = ?", [user]) }

    func save(_ marker: StreamMarker) throws { try marker.insert(database, onConflict: .replace) }
}
