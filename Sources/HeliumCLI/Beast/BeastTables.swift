import AppNet
import Foundation
import MessageBeast

/// A stored message as JSON.
struct BeastMessage: Encodable {
    let localID: MessagePlus.ID
    let channel: String
    let state: String
    let displayDate: String
    let place: String?
    let message: Message

    enum CodingKeys: String, CodingKey {
        case localID = "local_id"
        case channel = "channel_id"
        case state
        case displayDate = "display_date"
        case place
        case message
    }

    init(_ message: MessagePlus) {
        localID = message.id
        channel = message.channelID.text
        state = message.state.rawValue
        displayDate = AppNetTables.date(message.displayDate)
        place = message.displayLocation?.name
        self.message = message.message
    }
}

/// The tables of `helium beast`.
enum BeastTables {
    static func channels(_ channels: [StoredChannel]) -> OutputText {
        var table = TextTable("ID", "TYPE", "ACTIONS", "SYNC")
        for channel in channels {
            var actions: String?
            if case .actions(let type, let target) = channel.role { actions = "\(type) on \(target)" }
            table.add(channel.id.text, channel.type, actions, name(channel.fullSyncState))
        }
        return OutputText(table)
    }

    static func messages(_ messages: [MessagePlus]) -> OutputText {
        var table = TextTable("ID", "DATE", "STATE", "PLACE", "TEXT")
        for message in messages {
            table.add(
                message.message.id?.text,
                AppNetTables.date(message.displayDate),
                message.state.rawValue,
                message.displayLocation?.name,
                AppNetTables.text(message.message)
            )
        }
        return OutputText(table)
    }

    static func hits(_ hits: [SearchHit]) -> OutputText {
        var table = TextTable("ID", "DATE", "TEXT")
        for hit in hits {
            table.add(hit.message.message.id?.text, AppNetTables.date(hit.message.displayDate), hit.snippet())
        }
        return OutputText(table)
    }

    static func outbox(_ rows: [BeastOutboxRow]) -> OutputText {
        var table = TextTable("ID", "STATE", "ATTEMPTS", "REASON", "TEXT")
        for row in rows {
            table.add(
                row.message.message.id?.text,
                row.state,
                "\(row.attempts)",
                row.needsEdit ? "\(row.reason ?? ""); edit it to send it" : row.reason,
                AppNetTables.text(row.message.message)
            )
        }
        return OutputText(table)
    }

    static func deletions(_ rows: [BeastDeletionRow]) -> OutputText {
        var table = TextTable("KIND", "ID", "CHANNEL", "UNDO", "REASON")
        for row in rows {
            table.add(row.kind.rawValue, row.id, row.channel, row.canBeUndone ? "yes" : "no", row.reason)
        }
        return OutputText(table)
    }

    static func name(_ state: FullSyncState) -> String {
        switch state {
        case .notStarted: "not started"
        case .started: "started"
        case .complete: "complete"
        }
    }
}
