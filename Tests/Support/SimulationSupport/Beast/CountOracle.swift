import AppNet
import GRDB
import MessageBeast

/// Compares the numbers that an engine returns with its messages, which are counted one by one.
struct CountOracle {
    let device: SimulatedDevice
    let channels: Channels

    func check() async throws {
        let manager = try await device.engine().manager
        for channel in channels.content { try await checkUses(in: channel, manager) }
        try await checkActions(manager)
        try await checkPending(manager)
    }

    /// Reads the store on this thread: the simulation decides what runs when.
    private func stored<Value>(_ body: (Database) throws -> Value) throws -> Value { try device.disk.read(body) }

    private func expect(_ name: String, _ found: some Equatable, _ expected: some Equatable) throws {
        guard "\(found)" != "\(expected)" else { return }
        throw Finding("\(device.name) counts \(found) \(name), and has \(expected)")
    }

    /// Compares the numbers of the uses of hashtags, annotations and places.
    private func checkUses(in channel: AppNetChannel.ID, _ manager: MessageManager) async throws {
        let messages = try await manager.page(of: channel, limit: nil).messages
        var tags: [String: Int] = [:]
        for message in messages {
            for tag in Set((message.message.text ?? "").split(separator: " ").filter { $0.hasPrefix("#") }) {
                tags[tag.dropFirst().lowercased(), default: 0] += 1
            }
        }
        let found = try await manager.hashtags(in: channel).map { "\($0.name.lowercased()) \($0.messageIDs.count)" }
        try expect("hashtags", found.sorted(), tags.map { "\($0.key) \($0.value)" }.sorted())

        let type = MessageBeastNames.ohaiLocation
        let uses = try await manager.annotations(ofType: type, in: channel).uses
        let annotations = messages.map { ($0.message.annotations ?? []).count { $0.type == type } }
        try expect("messages with annotations", uses.count, annotations.count { $0 > 0 })
        try expect("annotations", uses.reduce(0) { $0 + $1.count }, annotations.reduce(0, +))

        let places = try await manager.displayLocations(in: channel)
        let located = messages.count { $0.displayLocation != nil }
        try expect("messages at places", places.reduce(0) { $0 + $1.messageIDs.count }, located)
    }

    private func checkActions(_ manager: MessageManager) async throws {
        let (actions, channel) = (manager.actions, channels.actions)
        let targets = try stored { database in
            try String.fetchSet(
                database,
                sql: "SELECT target_message_id FROM action_spec WHERE action_channel_id = ?",
                arguments: [channel.text]
            )
        }
        let count = try await actions.count(in: channel)
        try expect("actions", count, targets.count)
        try expect("actions at all", try await actions.hasActioned(in: channel), count > 0)
        let ids = try await manager.page(of: channels.journal, limit: nil).messages.compactMap(\.message.id)
        let actioned = try await actions.actionedMessages(in: channel).count
        try expect("messages with actions", actioned, try await actions.actionedIDs(among: ids, in: channel).count)
    }

    private func checkPending(_ manager: MessageManager) async throws {
        let summary = try await manager.pendingSummary()
        let (unsent, messages, files) = try stored { database in
            (
                try Int64.fetchAll(database, sql: "SELECT local_id FROM outbox").count,
                try String.fetchAll(database, sql: "SELECT message_id FROM pending_message_deletion").count,
                try String.fetchAll(database, sql: "SELECT file_id FROM pending_file_deletion").count
            )
        }
        try expect("unsent messages and actions", summary.messages + summary.actions, unsent)
        try expect("deletions", summary.deletions, messages + files)
        try expect("deletions of files", summary.fileDeletions, files)
        let parked = try await manager.parkedDeletions().count
        let parkedFiles = try await manager.parkedFileDeletions().count
        try expect("refused deletions", summary.parkedDeletions, parked + parkedFiles)
        try expect("drafts", summary.drafts, try await manager.drafts().count)
    }
}
