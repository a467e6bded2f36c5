import AppNet
import GRDB
import HeliumCore
import HeliumTesting
import MessageBeast
import SimulationSupport

/// Lets everything come to rest, and compares the devices with the server and with what was asked of them.
struct Oracle {
    let world: BeastSystem.World
    let devices: [SimulatedDevice]
    let channels: [AppNetChannel.ID]

    private static let maximumRounds = 20

    func check() async throws {
        try await comeToRest()
        if let violation = world.rules.violations.first { throw Finding(violation) }
        for channel in channels {
            let live = try await live(in: channel)
            try checkCreations(live, in: channel)
            for device in devices { try await compare(device, with: live, in: channel) }
        }
        for device in devices {
            let problems = try await device.engine().manager.check()
            if let problem = problems.first { throw Finding("\(device.name): \(problem)") }
        }
        for device in devices { await device.stop() }
        // What the last engines have started ends before the next run.
        try await world.simulation.clock.sleep(for: .seconds(600))
    }

    // MARK: Rest

    private func comeToRest() async throws {
        for device in devices {
            device.network.setWeather(.fair)
            device.network.setReachable(true)
            device.setKills(false)
            // A kill that is still planned belongs to the time before.
            for process in 0..<device.processCount { device.kill(process) }
        }
        world.simulation.trace.event("quiet")
        // Longer than a late request takes.
        try await world.simulation.clock.sleep(for: .seconds(300))
        var last = ""
        for _ in 0..<Self.maximumRounds {
            for device in devices { try await settle(device) }
            try await world.simulation.clock.sleep(for: .seconds(60))
            let state = try devices.map { try Self.state($0.disk) }.joined(separator: "\n")
            if state == last { return }
            last = state
        }
        throw Finding("there is no rest after \(Self.maximumRounds) rounds: \(last)")
    }

    private func settle(_ device: SimulatedDevice) async throws {
        let manager = try await device.engine().manager
        try await manager.sendAll()
        for channel in channels {
            _ = try await manager.fetchNewest(in: channel)
            do {
                try await manager.fullSync(of: channel).run()
            } catch let error as MessageBeastError where error.kind == .blocked {
                // The next round goes on.
            }
            _ = try await manager.reconcile(channel)
        }
    }

    /// Everything that changes until there is rest.
    private static func state(_ disk: DatabaseQueue) throws -> String {
        try disk.read { database in
            let queries = [
                "SELECT id, kind, hidden FROM message ORDER BY local_id",
                "SELECT local_id, state, cancel_requested FROM outbox ORDER BY local_id",
                "SELECT message_id, parked FROM pending_message_deletion ORDER BY message_id",
                "SELECT id, full_sync_state FROM channel ORDER BY id",
            ]
            return try queries.map { try Row.fetchAll(database, sql: $0).map(\.description).joined(separator: ";") }
                .joined(separator: "|")
        }
    }

    // MARK: The server

    /// The live messages of a channel, oldest first.
    private func live(in channel: AppNetChannel.ID) async throws -> [Message] {
        var configuration = AppNetConfiguration(token: "alice-token", baseURL: world.root)
        configuration.environment = ClientEnvironment(transport: world.server, clock: world.simulation.clock)
        let client = try AppNetClient(configuration: configuration)
        let parameters = GeneralParameters(includesAnnotations: true, includesDeleted: false, includesMachineOnly: true)
        var messages: [Message] = []
        for try await message in client.messages.list(in: channel, parameters) where message.isDeleted != true {
            messages.append(message)
        }
        return messages.reversed()
    }

    // MARK: What was asked

    private func checkCreations(_ live: [Message], in channel: AppNetChannel.ID) throws {
        var copies: [String: Int] = [:]
        for message in live { copies[message.text ?? "", default: 0] += 1 }
        var parked: Set<String> = []
        for device in devices {
            let sql = "SELECT m.text FROM outbox AS o JOIN message AS m USING (local_id) WHERE o.state = 'parked'"
            parked.formUnion(try device.disk.read { try String.fetchSet($0, sql: sql) })
        }
        for creation in world.record.creations where creation.channel == channel {
            let count = copies[creation.text] ?? 0
            let deletions = world.record.deletions(of: creation.text)
            if count > 1 { throw Finding("\(count) live copies of \"\(creation.text)\"") }
            if deletions.contains(.acknowledged) {
                if count > 0 { throw Finding("\"\(creation.text)\" was deleted, and is live") }
            } else if creation.isAcknowledged, !deletions.contains(.unknown), count == 0,
                !parked.contains(creation.text)
            {
                throw Finding("\"\(creation.text)\" was created, and is neither live nor parked")
            }
        }
        try checkOrder(live, in: channel)
    }

    /// The messages of a device have ids in the order in which they were created, but for those that were parked once.
    private func checkOrder(_ live: [Message], in channel: AppNetChannel.ID) throws {
        let ids = Dictionary(live.map { ($0.text ?? "", $0.id?.number ?? 0) }) { first, _ in first }
        for device in devices {
            let parkings = try Parkings.texts(device.disk)
            var last = 0
            for creation in world.record.creations
            where creation.device == device.name && creation.channel == channel && !creation.wasRetried {
                guard let id = ids[creation.text], !parkings.contains(creation.text) else { continue }
                if id < last { throw Finding("\"\(creation.text)\" was sent before an earlier message") }
                last = id
            }
        }
    }

    // MARK: The devices

    private func compare(_ device: SimulatedDevice, with live: [Message], in channel: AppNetChannel.ID) async throws {
        let manager = try await device.engine().manager
        let stored = try await manager.page(of: channel, limit: nil).messages.filter { $0.state == .sent }
        let (here, there) = (Self.lines(stored.map(\.message)), Self.lines(live))
        if let lost = there.subtracting(here).sorted().first { throw Finding("\(device.name) lacks \(lost)") }
        if let extra = here.subtracting(there).sorted().first { throw Finding("\(device.name) still has \(extra)") }
        if let first = try Self.leftovers(device.disk).first {
            throw Finding("\(device.name) is not at rest: \(first)")
        }
    }

    /// The rows that wait for something.
    private static func leftovers(_ disk: DatabaseQueue) throws -> [String] {
        try disk.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT 'unsent', local_id, state FROM outbox WHERE state <> 'parked'
                    UNION ALL SELECT 'deletion', message_id, parked FROM pending_message_deletion
                    UNION ALL SELECT 'hidden', local_id, id FROM message WHERE hidden <> 0
                    """
            ).map(\.description)
        }
    }

    private static func lines(_ messages: [Message]) -> Set<String> {
        Set(messages.map { "\($0.id?.text ?? "no id") \"\($0.text ?? "")\"" })
    }
}
