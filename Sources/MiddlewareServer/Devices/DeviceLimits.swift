internal import GRDB
internal import HeliumServerKit

/// The limits on the number of devices, and which devices are deleted beyond them.
///
/// Everyone can register a device, because a registration has no key. A device that was used is therefore never deleted
/// for one that was not. Devices that were never used take the room that the others leave, and at least a quarter of the
/// maximum in addition to it. Beyond that the oldest one of the client with the most of them is deleted: a client that
/// registers again and again deletes its own devices, and a device of another client has time to be used.
struct DeviceLimits: Sendable {
    /// The maximum number of devices that were used.
    let maximum: Int

    /// The number of devices that may be unused, however many are used.
    private var reserve: Int { max(1, maximum / 4) }

    /// The maximum number of clients of which one write deletes devices. Many devices beyond the limits, after a lower one
    /// was set, are deleted by several writes.
    private static let maximumClients = 16

    /// Deletes the devices beyond the limits.
    ///
    /// - Parameter id: The device that was stored last, which is kept.
    func apply(to database: Database, sparing id: String) throws {
        let unused = DeviceRecord.Columns.status == DeviceRecord.Status.inactive.rawValue
        var used = try DeviceRecord.filter(!unused).fetchCount(database)
        if used > maximum {
            // Since a store of an earlier version, or after a lower limit was set, there can be more than one.
            try Self.oldest(used - maximum, of: DeviceRecord.filter(!unused), id).deleteAll(database)
            used = maximum
        }
        let allowed = max(reserve, maximum - used)
        var excess = try DeviceRecord.filter(unused).fetchCount(database) - allowed
        for _ in 0..<Self.maximumClients {
            guard excess > 0, let largest = try Self.largestClient(database, sparing: id) else { return }
            let devices = DeviceRecord.filter(unused && DeviceRecord.Columns.client == largest.client)
            let count = min(excess, max(1, largest.lead))
            excess -= try Self.oldest(count, of: devices, id).deleteAll(database)
        }
    }

    private static func oldest(
        _ count: Int,
        of devices: QueryInterfaceRequest<DeviceRecord>,
        _ spared: String
    ) -> QueryInterfaceRequest<DeviceRecord> {
        devices.filter(DeviceRecord.Columns.id != spared)
            .order(DeviceRecord.Columns.lastModified, DeviceRecord.Columns.id).limit(count)
    }

    /// Returns the client that has the most unused devices, and by how many it has more than the next one; among equals
    /// the client with the oldest device.
    private static func largestClient(
        _ database: Database,
        sparing id: String
    ) throws -> (client: String, lead: Int)? {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT client, COUNT(*) AS count FROM \(DeviceRecord.databaseTableName)
                    WHERE status = ? AND id <> ? GROUP BY client
                    ORDER BY count DESC, MIN(last_modified), client LIMIT 2
                    """
            ),
            arguments: [DeviceRecord.Status.inactive.rawValue, id]
        )
        guard let first = rows.first else { return nil }
        let next: Int = rows.dropFirst().first?["count"] ?? 0
        return (first["client"], first["count"] - next)
    }
}
