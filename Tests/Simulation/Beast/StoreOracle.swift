import AppNet
import Foundation
import GRDB
import MessageBeast
import SimulationSupport

/// Compares what a device has stored and derived from live messages with these.
struct StoreOracle {
    let device: SimulatedDevice
    let channel: AppNetChannel.ID
    let trace: SimulationTrace

    /// - Parameter stored: The live messages that the device has.
    func check(_ stored: [Message]) async throws {
        try checkRows(stored)
        let manager = try await device.engine().manager
        for number in 0..<5 {
            let tag = "tag\(number)"
            try compare(
                "tagged",
                try await manager.messages(in: channel, hashtag: tag),
                stored.filter { $0.text?.contains("#\(tag)") == true }
            )
        }
        try compare(
            "moody",
            try await manager.messages(in: channel, annotationType: Decoration.mood),
            stored.filter { $0.firstAnnotation(ofType: Decoration.mood) != nil }
        )
        try compare(
            "located",
            try await manager.search(placeName: Decoration.place, in: channel),
            stored.filter { $0.firstAnnotation(ofType: MessageBeastNames.ohaiLocation) != nil }
        )
        try compare(
            "found",
            try await manager.search(text: "Message", in: channel).map(\.message),
            stored.filter { $0.text != nil }
        )
    }

    private func compare(_ kind: String, _ found: [MessagePlus], _ expected: [Message]) throws {
        let ids = Set(found.filter { $0.state == .sent }.compactMap(\.message.id?.text))
        let others = Set(expected.compactMap(\.id?.text)).symmetricDifference(ids)
        guard others.isEmpty else {
            throw Finding("\(device.name) has other \(kind) messages: \(others.sorted())")
        }
        if !ids.isEmpty { trace.count(kind) }
    }

    /// The place in lists of each message is that of its id and its date.
    private func checkRows(_ stored: [Message]) throws {
        let rows = try device.disk.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, sort_key, created_ms, display_date_ms FROM message WHERE kind = 'sent' AND channel_id = ?
                    """,
                arguments: [channel.text]
            )
        }
        let messages = Dictionary(stored.map { ($0.id?.text ?? "", $0) }) { first, _ in first }
        for row in rows {
            guard let message = messages[row[0]], let created = message.createdAt else {
                throw Finding("\(device.name) has a row of \(row[0] as String), which is not listed")
            }
            let dates = [created, message.ohaiDisplayDate ?? created].map { date in
                Int64((date.timeIntervalSince1970 * 1000).rounded())
            }
            guard row[1] == message.id?.number, row[2] == dates[0], row[3] == dates[1] else {
                throw Finding("\(device.name) has \(row), in place of the dates \(dates)")
            }
        }
    }
}
