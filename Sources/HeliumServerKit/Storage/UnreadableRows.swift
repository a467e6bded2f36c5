internal import GRDB
internal import HeliumConcurrency
package import Logging
internal import Synchronization

/// Logs the rows of a store that cannot be decoded, each once.
///
/// A row is named by its table and its id. Its columns, which may contain passwords, tokens and private texts, are never
/// logged, and neither are GRDB's decoding errors, which print them.
package final class UnreadableRows: Sendable {
    /// The name of a row.
    package struct Name: Hashable, Sendable, CustomStringConvertible {
        package let table: String
        /// The row's id; `nil` if the table has no numeric id.
        package let id: Int64?

        package init(table: String, id: Int64?) {
            self.table = table
            self.id = id
        }

        package var description: String { id.map { "row \($0) of \(table)" } ?? "a row of \(table)" }
    }

    /// The maximum number of rows that are logged.
    package static let maximum = 1000

    private let logger: Logger
    private let names = Guarded<Set<Name>>([])

    package init(logger: Logger) { self.logger = logger }

    /// The rows that were reported, in no order.
    package var reported: Set<Name> { names.withLock { $0 } }

    /// Receives the reports of all connections that are opened with a configuration.
    func install(in configuration: inout Configuration) {
        configuration.prepareDatabase { [self] database in
            // A SQL function reaches the connection wherever a row is decoded, without a parameter in every table.
            database.add(
                function: DatabaseFunction(Self.function, argumentCount: 2) { [self] values in
                    if let table = String.fromDatabaseValue(values[0]) {
                        report(Name(table: table, id: Int64.fromDatabaseValue(values[1])))
                    }
                    return nil
                }
            )
        }
    }

    private func report(_ name: Name) {
        let isNew = names.withLock { $0.count < Self.maximum && $0.insert(name).inserted }
        guard isNew else { return }
        var metadata: Logger.Metadata = ["table": "\(name.table)"]
        if let id = name.id { metadata["row"] = "\(id)" }
        logger.error("A row of the store cannot be read and is left out", metadata: metadata)
    }

    fileprivate static let function = "helium_unreadable_row"
}

extension Database {
    /// Reports a row that cannot be decoded. Does nothing on a connection without an ``UnreadableRows``.
    package func reportUnreadable(_ row: UnreadableRows.Name) {
        _ = try? Row.fetchOne(
            self,
            sql: "SELECT \(UnreadableRows.function)(?, ?)",
            arguments: [row.table, row.id]
        )
    }
}

extension UnreadableRows.Name {
    /// - Parameter row: A row of a table. Its id is the column `id` or `number`.
    init(_ row: Row, of table: String) {
        self.table = table
        id = ["id", "number"].firstValue { name in
            row.hasColumn(name) ? Int64.fromDatabaseValue(row[name]) : nil
        }
    }
}
