internal import HeliumJSON
internal import HeliumServerKit

/// Where a user is in a stream (§3.5).
struct StreamMarker: Hashable, Sendable {
    var user: Int64
    var name: String
    var item: Int64
    var lastRead: Int64
    var percentage: Int
    var updated: Int64
    /// Changes with every update.
    var version: String

    var json: JSONValue {
        [
            "name": .string(name), "id": .id(item), "last_read_id": .id(lastRead), "percentage": .count(percentage),
            "updated_at": .string(AppNetDate.text(updated)), "version": .string(version),
        ]
    }
}
