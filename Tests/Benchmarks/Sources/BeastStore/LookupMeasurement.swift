import AppNet
import BareSQLite
import BenchmarkHarness
import Foundation

@testable import MessageBeast

/// Look-ups in a large store: wall-clock time, because callers wait for it.
struct LookupMeasurement {
    let store: Store
    let count: Int
    let rounds: Int

    private let configuration = MessageManagerConfiguration.extracting(false)
    private static let group = "beast-lookup"

    func run() async throws -> [OperationResult] {
        let manager = try await store.manager("lookup.sqlite", configuration)
        try await fill(manager)
        try await manager.start()
        var results: [OperationResult] = []
        for (term, hits, operation) in [
            ("rare", count / 10_000, "a rare term, newest first"),
            ("hundredth", count / 100, "a term in 1 %, newest first"),
            ("half", count / 2, "a term in half of the messages, newest first"),
        ] {
            // The space ends the word: else it would be the beginning of one.
            results.append(
                try await measure(Self.group, operation) {
                    try await manager.search(text: "\(term) ", in: Messages.channel, limit: 50).count == min(hits, 50)
                }
            )
        }
        results += try await pages(manager)
        results += try await ranked(manager)
        results += try await drafts(manager)
        await manager.stop()
        results.append(
            try await measure(Self.group, "opening") {
                let again = try await store.manager("lookup.sqlite", configuration)
                try await again.start()
                await again.stop()
                return true
            }
        )
        return results
    }

    private func fill(_ manager: MessageManager) async throws {
        let source = Messages()
        for start in stride(from: 1, through: count, by: 2_000) {
            let messages = (start..<min(start + 2_000, count + 1)).map(source.message)
            try await manager.ingest(messages, try messages.map(IncomingMessage.text))
        }
    }

    /// The first page, and one in the middle and at the end.
    private func pages(_ manager: MessageManager) async throws -> [OperationResult] {
        var results = [
            try await measure("beast-page", "the first page") {
                try await manager.page(of: Messages.channel, limit: 50).messages.count == 50
            }
        ]
        for (number, name) in [(count / 2, "a page in the middle"), (100, "a page at the end")] {
            let date = Milliseconds(Messages().message(number).createdAt ?? Date())
            let cursor = MessageCursor(displayDate: date.value, sortKey: Int64(number))
            results.append(
                try await measure("beast-page", name) {
                    try await manager.page(of: Messages.channel, after: cursor, limit: 50).messages.count == 50
                }
            )
        }
        return results
    }

    /// Drafts among all messages: ten, which are listed, and one that is written and removed.
    private func drafts(_ manager: MessageManager) async throws -> [OperationResult] {
        for number in 1...10 {
            _ = try await manager.createDraft(Message(text: "Draft \(number)"), in: Messages.channel)
        }
        guard let id = try await manager.drafts().first?.message.id else { throw WrongResult(operation: "drafts") }
        return [
            try await measure("beast-drafts", "the list of the drafts") {
                try await manager.drafts(in: Messages.channel).count == 10
            },
            try await measure("beast-drafts", "a draft by its id") { try await manager.draft(id) != nil },
            try await measure("beast-drafts", "writing and removing a draft") {
                let draft = try await manager.createDraft(Message(text: "Tea"), in: Messages.channel)
                try await manager.deleteDraft(draft.message.id ?? "")
                return true
            },
        ]
    }

    /// The ranked look-up, against the same statement in C.
    private func ranked(_ manager: MessageManager) async throws -> [OperationResult] {
        let sql = """
            SELECT \(MessageRow.columns), page.rank FROM (
                SELECT m.local_id AS key, message_words.rank AS rank
                FROM message_words CROSS JOIN message AS m ON m.local_id = message_words.rowid
                WHERE message_words MATCH '"hundredth"' AND m.channel_id = '100' AND m.hidden = 0
                ORDER BY message_words.rank LIMIT 50
            ) AS page CROSS JOIN message AS m ON m.local_id = page.key \(MessageRow.joins)
            ORDER BY page.rank
            """
        guard let database = bare_open(store.path("lookup.sqlite")) else { throw BareFailure(code: -1) }
        defer { bare_close(database) }
        // In alternation, because the machine may be faster a second later.
        var times: [(ours: Double, bare: Double)] = []
        for run in 0...rounds {
            let ours = try await OperationResult.time("a ranked page") {
                let hits = try await manager.search(text: "hundredth ", in: Messages.channel, order: .rank, limit: 50)
                return hits.count == 50
            }
            let bare = try await OperationResult.time("a ranked page") { bare_query(database, sql) == 50 }
            if run > 0 { times.append((ours, bare)) }
        }
        return [
            OperationResult(group: "beast-ranked", operation: "MessageBeast", bytes: 0, rounds: times.map(\.ours)),
            OperationResult(group: "beast-ranked", operation: "bare C", bytes: 0, rounds: times.map(\.bare)),
        ]
    }

    private func measure(
        _ group: String,
        _ operation: String,
        _ body: () async throws -> Bool
    ) async throws -> OperationResult {
        try await OperationResult(group, operation, runs: rounds, body)
    }
}

extension OperationResult {
    /// Measures nanoseconds of wall-clock time for each of some runs, after one that is not counted.
    ///
    /// - Parameter body: Returns whether it has found what there is.
    init(_ group: String, _ operation: String, runs: Int, _ body: () async throws -> Bool) async throws {
        var times: [Double] = []
        for run in 0...runs {
            let time = try await Self.time(operation, body)
            if run > 0 { times.append(time) }
        }
        self.init(group: group, operation: operation, bytes: 0, rounds: times)
    }

    /// Returns the nanoseconds of wall-clock time of one run.
    ///
    /// - Parameter body: Returns whether it has found what there is.
    static func time(_ operation: String, _ body: () async throws -> Bool) async throws -> Double {
        let start = ContinuousClock.now
        guard try await body() else { throw WrongResult(operation: operation) }
        return (ContinuousClock.now - start) / .nanoseconds(1)
    }
}

/// A look-up found something else than there is.
struct WrongResult: Error {
    let operation: String
}
