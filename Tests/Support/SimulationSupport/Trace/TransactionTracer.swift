package import GRDB
internal import HeliumConcurrency
internal import Synchronization

/// Writes each committed transaction of a database into a trace: the tables, and the number of their inserted, changed and
/// deleted rows.
package final class TransactionTracer: TransactionObserver, Sendable {
    private struct Counts {
        var inserted = 0
        var updated = 0
        var deleted = 0
    }

    private let name: String
    private let trace: SimulationTrace
    private let tables = Guarded<[String: Counts]>([:])

    /// - Parameter name: The name of the database in the trace.
    package init(_ name: String, _ trace: SimulationTrace) {
        self.name = name
        self.trace = trace
    }

    package func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }

    package func databaseDidChange(with event: DatabaseEvent) {
        tables.withLock { tables in
            switch event.kind {
            case .insert: tables[event.tableName, default: Counts()].inserted += 1
            case .update: tables[event.tableName, default: Counts()].updated += 1
            case .delete: tables[event.tableName, default: Counts()].deleted += 1
            }
        }
    }

    package func databaseDidCommit(_ database: Database) {
        let changes = take().sorted { $0.key < $1.key }
        guard !changes.isEmpty else { return }
        let texts = changes.map { "\($0) +\($1.inserted) ~\($1.updated) -\($1.deleted)" }
        trace.transaction(name, texts.joined(separator: ", "))
    }

    package func databaseDidRollback(_ database: Database) { _ = take() }

    private func take() -> [String: Counts] {
        tables.withLock { tables in
            defer { tables = [:] }
            return tables
        }
    }
}
