#if os(Linux)
    /// A real fault of an open database, which ends again: SQLite's own, or the system's (``UnwritableFile``).
    package enum InjectedStoreFault: CaseIterable, Sendable {
        case full, readOnly, inputOutput

        /// The words with which a server reports the fault.
        package var words: String {
            switch self {
            case .full: "the disk is full (SQLite error 13)"
            case .readOnly: "the file is read-only (SQLite error 8)"
            case .inputOutput: "the file cannot be read or written (SQLite error 778)"
            }
        }

        /// Begins the fault, and returns what ends it.
        ///
        /// - Parameters:
        ///   - path: The database, which is in WAL mode.
        ///   - execute: Executes SQL on the connection that writes, outside of a transaction.
        package func begin(
            _ path: String,
            _ execute: @escaping (String) async throws -> Void
        ) async throws -> () async throws -> Void {
            switch self {
            case .full:
                // SQLite raises the limit to the pages that the database has.
                try await execute("PRAGMA max_page_count = 1")
                return { try await execute("PRAGMA max_page_count = 1000000") }
            case .readOnly:
                try await execute("PRAGMA query_only = 1")
                return { try await execute("PRAGMA query_only = 0") }
            case .inputOutput:
                let file = try UnwritableFile(path + "-wal")
                return { file.restore() }
            }
        }
    }
#endif
