import AppNet
import GRDB
import MessageBeast

/// Compares the rows that are derived from messages with those that are derived again, by the device itself and by a new
/// device that reads everything from the service.
struct DerivedOracle {
    let world: BeastSystem.World
    let devices: [SimulatedDevice]
    let channels: Channels

    func check() async throws {
        let fresh = SimulatedDevice("fresh", processes: 1, world: world, disk: try DatabaseQueue())
        guard try await BeastSystem.channels(of: [fresh]).all == channels.all else {
            throw Finding("a new device has other channels")
        }
        let manager = try await fresh.engine().manager
        for channel in channels.all { try await manager.fullSync(of: channel).run() }
        try await CountOracle(device: fresh, channels: channels).check()
        let expected = try Self.rows(fresh.disk, sentOnly: true)
        for device in devices {
            let counts = CountOracle(device: device, channels: channels)
            try await counts.check()
            let stored = try Self.rows(device.disk, sentOnly: false)
            try await device.engine().manager.rebuild()
            try await counts.check()
            try Self.compare(stored, try Self.rows(device.disk, sentOnly: false), "\(device.name), rebuilt,")
            try Self.compare(
                try Self.rows(device.disk, sentOnly: true),
                expected,
                "a device that is newer than \(device.name)"
            )
            try comparePlaces(device, with: fresh)
        }
        await fresh.stop()
    }

    private static func compare(_ old: Set<String>, _ new: Set<String>, _ name: String) throws {
        if let lost = old.subtracting(new).sorted().first { throw Finding("\(name) lacks \(lost)") }
        if let extra = new.subtracting(old).sorted().first { throw Finding("\(name) also has \(extra)") }
    }

    /// The rows that are derived from messages, without local ids.
    private static func rows(_ disk: DatabaseQueue, sentOnly: Bool) throws -> Set<String> {
        let condition = sentOnly ? "m.kind = 'sent'" : "m.kind <> 'draft'"
        let queries = [
            "SELECT 'message', m.id, m.display_date_ms, m.sort_key, m.text FROM message AS m WHERE \(condition)",
            "SELECT 'tag', m.id, t.folded, t.name FROM hashtag_instance AS t JOIN message AS m USING (local_id) WHERE \(condition)",
            "SELECT 'type', m.id, a.type, a.count FROM annotation_instance AS a JOIN message AS m USING (local_id) WHERE \(condition)",
            """
            SELECT 'place', m.id, l.name, l.latitude, l.longitude, l.source
            FROM location_instance AS l JOIN message AS m USING (local_id) WHERE \(condition)
            """,
            "SELECT 'words', m.id, w.text FROM message_words AS w JOIN message AS m ON m.local_id = w.rowid WHERE \(condition)",
            "SELECT 'named', m.id, w.name FROM location_words AS w JOIN message AS m ON m.local_id = w.rowid WHERE \(condition)",
            """
            SELECT 'action', m.id, s.action_channel_id, s.target_message_id, target.id
            FROM action_spec AS s JOIN message AS m ON m.local_id = s.action_local_id
            LEFT JOIN message AS target ON target.local_id = s.target_local_id WHERE \(condition)
            """,
        ]
        return try disk.read { database in
            try queries.reduce(into: []) { $0.formUnion(try Row.fetchAll(database, sql: $1).map(\.description)) }
        }
    }

    private struct CachedName: FetchableRecord, Decodable {
        let id: String
        let name: String
        let sortKey: Int64
        let isStored: Bool

        static let query = """
            SELECT id, name, sort_key AS sortKey, EXISTS (
                SELECT 1 FROM message AS m WHERE m.kind = 'sent' AND m.sort_key = place.sort_key
            ) AS isStored FROM place
            """
    }

    /// A place remains when its message is removed, with the name of that message. Otherwise it has that of the newest.
    private func comparePlaces(_ device: SimulatedDevice, with fresh: SimulatedDevice) throws {
        let here = try device.disk.read { try CachedName.fetchAll($0, sql: CachedName.query) }
        let places = Dictionary(here.map { ($0.id, $0) }) { first, _ in first }
        for place in try fresh.disk.read({ try CachedName.fetchAll($0, sql: CachedName.query) }) {
            guard let known = places[place.id], known.sortKey >= place.sortKey else {
                throw Finding("\(device.name) has an older state of \(place.id) than \(place.name)")
            }
            let isSame = known.sortKey == place.sortKey && known.name == place.name
            if !isSame, known.isStored {
                throw Finding("\(device.name) names \(place.id) \(known.name), and not \(place.name)")
            }
        }
    }
}
