import AppNet
import GRDB
import HeliumCore
import HeliumTesting
import MessageBeast

/// Lets everything come to rest, and compares the devices with the server and with what was asked of them.
struct Oracle {
    let world: BeastSystem.World
    let devices: [SimulatedDevice]
    let channels: Channels

    private static let maximumRounds = 20

    func check() async throws {
        try await comeToRest()
        if let violation = world.rules.violations.first { throw Finding(violation) }
        var live: [AppNetChannel.ID: [Message]] = [:]
        for channel in channels.all {
            let messages = try await self.live(in: channel)
            live[channel] = messages
            for device in devices { try await compare(device, with: messages, in: channel) }
        }
        if let duplicate = channels.duplicate, let action = try await self.live(in: duplicate).first?.id {
            throw Finding("the action \(action) remains in the channel \(duplicate), which is not used")
        }
        let client = try client()
        for channel in channels.content {
            try checkCreations(live[channel] ?? [], in: channel)
            try await ContentOracle(world: world, client: client).check(live[channel] ?? [], in: channel)
        }
        try await ActionOracle(world: world, devices: devices, channels: channels)
            .check(live[channels.journal] ?? [], live[channels.actions] ?? [])
        for device in devices { try await checkDrafts(of: device) }
        for device in devices {
            let problems = try await device.engine().manager.check()
            if let problem = problems.first { throw Finding("\(device.name): \(problem)") }
        }
        try await DerivedOracle(world: world, devices: devices, channels: channels).check()
        for device in devices { await device.stop() }
        // What the last engines have started ends before the next run.
        try await world.simulation.clock.sleep(for: .seconds(600))
    }

    // MARK: Rest

    private func comeToRest() async throws {
        for device in devices {
            device.network.setWeather(.fair)
            device.setReachable(true)
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
        // The service may have failed too often. The user tries it again.
        for deletion in try await manager.parkedDeletions() {
            try await manager.retryDeletion(of: deletion.messageID)
        }
        for deletion in try await manager.parkedFileDeletions() {
            try await manager.retryFileDeletion(of: deletion.fileID)
        }
        try await manager.sendAll()
        for channel in channels.all {
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
                "SELECT id, state, claimed_ms FROM pending_file ORDER BY id",
                "SELECT file_id FROM pending_file_deletion ORDER BY file_id",
                "SELECT id, full_sync_state FROM channel ORDER BY id",
            ]
            return try queries.map { try Row.fetchAll(database, sql: $0).map(\.description).joined(separator: ";") }
                .joined(separator: "|")
        }
    }

    // MARK: The server

    private func client() throws -> AppNetClient {
        var configuration = AppNetConfiguration(token: "alice-token", baseURL: world.root)
        configuration.environment = ClientEnvironment(transport: world.server, clock: world.simulation.clock)
        return try AppNetClient(configuration: configuration)
    }

    /// The live messages of a channel, oldest first.
    private func live(in channel: AppNetChannel.ID) async throws -> [Message] {
        let client = try client()
        let parameters = GeneralParameters(includesAnnotations: true, includesDeleted: false, includesMachineOnly: true)
        var messages: [Message] = []
        for try await message in client.messages.list(in: channel, parameters: parameters)
        where message.isDeleted != true {
            messages.append(message)
        }
        return messages.reversed()
    }

    // MARK: What was asked

    private func checkCreations(_ live: [Message], in channel: AppNetChannel.ID) throws {
        var copies: [String: [String]] = [:]
        for text in live.map({ $0.text ?? "" }) { copies[CallRecord.key(of: text), default: []].append(text) }
        var parked: Set<String> = []
        for device in devices {
            let sql = "\(Self.parked) SELECT m.text FROM parked JOIN message AS m USING (local_id)"
            let texts = try device.disk.read { try Optional<String>.fetchAll($0, sql: sql) }
            parked.formUnion(texts.compactMap(\.self).map(CallRecord.key))
        }
        for creation in world.record.creations where creation.channel == channel {
            let texts = copies.removeValue(forKey: creation.key) ?? []
            let deletions = world.record.deletions(
                of: creation,
                with: texts.isEmpty ? Array(creation.texts) : texts,
                token: { world.rules.token(of: $0.text) }
            )
            if texts.count > 1 { throw Finding("\(texts.count) live copies of \(texts)") }
            if let text = texts.first, !creation.texts.contains(text) {
                throw Finding("\"\(text)\" is live, in place of \(creation.texts.sorted())")
            }
            if deletions.contains(.acknowledged) {
                if !texts.isEmpty { throw Finding("\"\(creation.key)\" was deleted, and is live") }
            } else if creation.isAcknowledged, !deletions.contains(.unknown), texts.isEmpty,
                !parked.contains(creation.key)
            {
                throw Finding("\"\(creation.key)\" was created, and is neither live nor parked")
            }
        }
        if let text = copies.keys.sorted().first { throw Finding("\"\(text)\" is live, and was never to be sent") }
        try checkOrder(live, in: channel)
    }

    private func checkDrafts(of device: SimulatedDevice) async throws {
        let texts = try await device.engine().manager.drafts().map(\.message.text)
        for draft in world.record.drafts(of: device.name) where !texts.contains(draft.key) {
            throw Finding("the draft \"\(draft.key)\" is lost")
        }
    }

    /// The messages of a device have ids in the order in which they were created, but for those that were parked once.
    private func checkOrder(_ live: [Message], in channel: AppNetChannel.ID) throws {
        let ids = Dictionary(live.map { ($0.text ?? "", $0.id?.number ?? 0) }) { first, _ in first }
        for device in devices {
            let parkings = try Parkings.texts(device.disk)
            var last = 0
            for creation in world.record.creations
            where creation.device == device.name && creation.channel == channel && creation.keepsPlace {
                guard let id = ids[creation.key], !parkings.contains(creation.key) else { continue }
                if id < last { throw Finding("\"\(creation.key)\" was sent before an earlier message") }
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

    /// The unsent messages that are parked, or wait for one that is.
    private static let parked = """
        WITH RECURSIVE parked (local_id) AS (
            SELECT local_id FROM outbox WHERE state = 'parked'
            UNION SELECT o.local_id FROM parked JOIN outbox AS o ON o.depends_on_local_id = parked.local_id
        )
        """

    /// The rows that wait for something. Parked messages, and those that wait for one, are left out.
    ///
    /// - Parameter isParkedIncluded: Whether parked deletions are among them.
    static func leftovers(_ disk: DatabaseQueue, withParked isParkedIncluded: Bool = true) throws -> [String] {
        let condition = isParkedIncluded ? "" : "WHERE parked = 0"
        return try disk.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    \(parked)
                    SELECT 'unsent', local_id, state FROM outbox WHERE local_id NOT IN (SELECT local_id FROM parked)
                    UNION ALL SELECT 'deletion', message_id, parked FROM pending_message_deletion \(condition)
                    UNION ALL SELECT 'hidden', local_id, id FROM message WHERE hidden <> 0
                    UNION ALL SELECT 'file deletion', file_id, attempts FROM pending_file_deletion \(condition)
                    """
            ).map(\.description)
        }
    }

    private static func lines(_ messages: [Message]) -> Set<String> {
        Set(messages.map { "\($0.id?.text ?? "no id") \"\($0.text ?? "")\"" })
    }
}
