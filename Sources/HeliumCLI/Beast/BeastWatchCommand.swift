import AppNet
import ArgumentParser
import Foundation
import MessageBeast

/// The `helium beast watch` command.
struct BeastWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print a line for each change of a channel's stored messages, including changes by other processes.",
        discussion: """
            Needs no network: it reads the database. A signal ends the command. --limit is the number of newest \
            messages that are watched.
            """
    )

    @OptionGroup var options: BeastOptions
    @OptionGroup var list: BeastListOptions

    func run() async throws {
        try await options.reading { manager in
            let channel = try await manager.channel(list.channel)
            let messages = manager.observeMessages(in: channel, limit: list.maximum)
            let (isJSON, limit) = (options.isJSON, list.maximum)
            try await TerminationSignals.following {
                var changes = MessageChanges()
                for try await page in messages {
                    for change in changes.next(page, limit: limit) {
                        try Console.current.stream(try change.line(isJSON: isJSON))
                    }
                }
            }
        }
    }
}

/// The differences between one list of messages and the next.
struct MessageChanges {
    /// The last list; `nil` before the first.
    private var last: [MessagePlus]?

    /// A change of a message.
    struct Change {
        enum Kind: String {
            case added
            case changed
            case sent
            case removed
        }

        let kind: Kind
        let message: MessagePlus

        private struct Line: Encodable {
            let change: String
            let message: BeastMessage
        }

        func line(isJSON: Bool) throws -> OutputText {
            if isJSON {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                let line = Line(change: kind.rawValue, message: BeastMessage(message))
                return OutputText(json: String(decoding: try encoder.encode(line), as: UTF8.self))
            }
            let (id, date) = (message.message.id?.text ?? "-", AppNetTables.date(message.displayDate))
            return "\(kind.rawValue) \(id) \(date) \(AppNetTables.text(message.message) ?? "")"
        }
    }

    /// Returns the changes from the previous list to this one, oldest message first. The first list has no changes.
    ///
    /// - Parameter limit: The maximum length of the list. Newer messages push older ones out of it.
    mutating func next(_ messages: [MessagePlus], limit: Int?) -> [Change] {
        defer { last = messages }
        guard let last else { return [] }
        let old = Dictionary(last.map { ($0.id, $0) }) { first, _ in first }
        let ids = Set(messages.map(\.id))
        let oldest = limit == messages.count ? messages.last?.displayDate : nil
        let removed = last.filter { message in
            !ids.contains(message.id) && oldest.map { message.displayDate > $0 } ?? true
        }
        return removed.reversed().map { Change(kind: .removed, message: $0) }
            + messages.reversed().compactMap { message in
                guard let old = old[message.id] else { return Change(kind: .added, message: message) }
                if old.isUnsent, !message.isUnsent { return Change(kind: .sent, message: message) }
                return old == message ? nil : Change(kind: .changed, message: message)
            }
    }
}
