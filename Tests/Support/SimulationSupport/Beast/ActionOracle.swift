import AppNet
import GRDB
import MessageBeast

/// Compares the actions on live messages with the calls that have put them on and taken them off.
struct ActionOracle {
    let world: BeastSystem.World
    let devices: [SimulatedDevice]
    let channels: Channels

    func check(_ journal: [Message], _ actions: [Message]) async throws {
        let targets = Set(actions.compactMap(\.targetMessageID))
        if let gone = targets.subtracting(journal.compactMap(\.id)).map(\.text).sorted().first {
            throw Finding("an action on the message \(gone), which is gone, remains")
        }
        let parked = try devices.reduce(into: Set<String>()) { $0.formUnion(try Self.parked($1.disk)) }
        for message in journal {
            guard let id = message.id, let text = message.text else { continue }
            for device in devices {
                let isOn = try await device.engine().manager.actions.isActioned(id, in: channels.actions)
                if isOn != targets.contains(id), !parked.contains(id.text) {
                    throw Finding("the action on \"\(text)\" is \(isOn ? "on" : "off") on \(device.name) alone")
                }
            }
            if let isOn = expectation(CallRecord.key(of: text)), isOn != targets.contains(id), !parked.contains(id.text)
            {
                throw Finding("the action on \"\(text)\" is \(isOn ? "off" : "on"), unlike the last call")
            }
        }
    }

    /// Whether the action is to be on a message; `nil` if both may be, because the calls of two devices have met, or the last
    /// one has not returned, or a deletion took the action along, or the message was sent again and what it was on was deleted.
    private func expectation(_ key: String) -> Bool? {
        let calls = world.record.actions(on: key)
        guard Set(calls.map(\.device)).count <= 1, world.record.deletions(of: key).isEmpty,
            !world.record.isRevived(key)
        else { return nil }
        guard let last = calls.last else { return false }
        let hasLost = calls.reversed().prefix { !$0.isAcknowledged }.contains { $0.isOn != last.isOn }
        let known = calls.last(where: \.isAcknowledged)?.isOn ?? false
        return last.isAcknowledged || (!hasLost && known == last.isOn) ? last.isOn : nil
    }

    /// The messages whose actions wait for the user. When all is quiet, nothing else is unsent.
    private static func parked(_ disk: DatabaseQueue) throws -> Set<String> {
        try disk.read { database in
            try String.fetchSet(
                database,
                sql: """
                    SELECT spec.target_message_id FROM outbox AS o JOIN action_spec AS spec
                    ON spec.action_local_id = o.local_id
                    """
            )
        }
    }
}
