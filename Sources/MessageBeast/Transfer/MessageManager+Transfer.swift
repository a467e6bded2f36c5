public import AppNet
internal import GRDB
internal import HeliumCore
internal import HeliumDatabase
internal import HeliumFiles

/// The number of exported rows.
public struct ExportSummary: Sendable, Hashable {
    /// The number of channels.
    public var channels = 0
    /// The number of messages, including unsent messages and drafts.
    public var messages = 0
    /// The number of unsent messages.
    public var unsent = 0
    /// The number of deletions of messages and files that were not sent to the service yet.
    public var deletions = 0
    /// The number of staged files.
    public var files = 0
    /// The number of rows that were left out because they, or rows that they refer to, were damaged.
    public var damaged = 0
}

/// The result of reading a damaged store.
public struct SalvageReport: Sendable, Hashable {
    /// The written rows.
    public let summary: ExportSummary
    /// The problems, one sentence for each table with missing rows.
    public let problems: [String]
}

extension MessageManager {
    /// Writes all data of the store that cannot be derived again to a file, as JSON Lines.
    ///
    /// The file contains channels, messages, drafts, unsent messages with their tokens and files, pending deletions,
    /// actions and places.
    ///
    /// The file contains tokens of files and everything that the user wrote. Only its owner can read it. It replaces an
    /// existing file when it is complete. Memory use does not grow with the size of the store.
    ///
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/invalidArgument`` for a path that
    ///   is not a regular file or is the database itself, and ``MessageBeastError/Kind/diskFull``,
    ///   ``MessageBeastError/Kind/readOnly`` and ``MessageBeastError/Kind/fileFailed`` for a file that cannot be
    ///   written.
    @discardableResult
    nonisolated public func export(to path: String) async throws -> ExportSummary {
        try await export(to: path) { _ in }
    }

    /// Writes an export as ``export(to:)`` does.
    ///
    /// - Parameter temporaryFile: Called with the path of the temporary file before it is created.
    nonisolated package func export(
        to path: String,
        temporaryFile: @escaping @Sendable (String) -> Void
    ) async throws -> ExportSummary {
        let name = context.random.uuid()
        let (database, staged) = (context.database, context.staged)
        return try await context.read { snapshot in
            let databasePath = (database.access.database as? DatabasePool)?.path
            let writer = try LineFileWriter(path, name: name, databasePath: databasePath, register: temporaryFile)
            let counts = try StoreExport(files: staged).run(in: snapshot, to: writer)
            try writer.finish()
            return ExportSummary(counts)
        }
    }

    /// Restores an export in this empty store, in one transaction. Sending starts only at the next start or call.
    ///
    /// Unsent messages keep their order and their tokens. The exported store may have sent them since, so each is
    /// searched for on the service before it is posted.
    ///
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/invalidImport`` with the number of
    ///   an invalid line, ``MessageBeastError/Kind/notEmpty``, ``MessageBeastError/Kind/otherAccount`` and
    ///   ``MessageBeastError/Kind/fileFailed``. Nothing is imported in that case.
    @discardableResult
    nonisolated public func restore(from path: String) async throws -> ExportSummary {
        let term = try context.life.term()
        let (configuration, now, staged) = (context.configuration, context.now, context.staged)
        do {
            return try await context.write(term, sends: false) { transaction in
                let restoring = StoreImport(
                    try LineFileReader(path),
                    configuration: configuration,
                    now: now,
                    files: staged
                )
                do {
                    let (rows, dropped) = try restoring.run(in: transaction)
                    var summary = ExportSummary(rows)
                    summary.damaged = dropped
                    return summary
                } catch {
                    restoring.abandon()
                    throw error
                }
            }
        } catch {
            // The end of the transaction may have failed, after all files were written.
            await outbox.files.removeUnnamed()
            throw error
        }
    }

    /// Returns the account of an export.
    ///
    /// - Returns: `nil` if the export is of a damaged store whose account could not be read. It can be imported for any
    ///   account.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/invalidImport`` for a file that is
    ///   not an export, and ``MessageBeastError/Kind/fileFailed``.
    public static func account(ofExport path: String) throws -> AppNetUser.ID? {
        let account = try StoreImport.header(of: LineFileReader(path)).account
        return account.isEmpty ? nil : AppNetUser.ID(account)
    }

    /// Exports the readable rows of a damaged store. The file is not changed, and no engine is needed.
    ///
    /// The result can be imported into an empty store. Rows that refer to missing rows are left out in that case.
    ///
    /// - Parameters:
    ///   - file: The database.
    ///   - path: The file to write.
    ///   - account: The account, if the database does not contain it.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/damaged`` and
    ///   ``MessageBeastError/Kind/notADatabase`` if nothing can be read, and the errors of ``export(to:)``.
    public static func salvage(
        _ file: String,
        to path: String,
        account: AppNetUser.ID? = nil
    ) throws -> SalvageReport {
        try salvage(file, to: path, account: account) { _ in }
    }

    /// Exports the readable rows of a damaged store as ``salvage(_:to:account:)`` does.
    ///
    /// - Parameter temporaryFile: Called with the path of the temporary file before it is created.
    package static func salvage(
        _ file: String,
        to path: String,
        account: AppNetUser.ID? = nil,
        temporaryFile: (String) -> Void
    ) throws -> SalvageReport {
        try MessageBeastError.translating {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.label = "helium.messagebeast.salvage"
            // The staged bytes are beside the file itself, not beside a link to it.
            let file = FileFacts.resolvedPath(file)
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            // No transaction is used, because SQLite refuses to end one after a damaged page.
            return try queue.unsafeRead { database in
                // Without the schema, no table can be found.
                guard try Int.fetchOne(database, sql: "SELECT 1 FROM sqlite_master WHERE name = 'message'") != nil
                else {
                    throw MessageBeastError(.notADatabase, "not a database of this engine")
                }
                let writer = try LineFileWriter(
                    path,
                    name: RandomSource.system.uuid(),
                    databasePath: file,
                    register: temporaryFile
                )
                let export = StoreExport(files: StagedFolder(database: file))
                let salvage = StoreSalvage(database: database, writer: writer, export: export)
                let findings = try salvage.run(account: account?.text)
                try writer.finish()
                return SalvageReport(findings)
            }
        }
    }
}

extension ExportSummary {
    fileprivate init(_ counts: [ExportTable: Int]) {
        func count(_ table: ExportTable) -> Int { counts[table] ?? 0 }
        channels = count(.channel)
        messages = count(.message)
        unsent = count(.outbox)
        deletions = count(.pendingMessageDeletion) + count(.pendingFileDeletion)
        files = count(.pendingFile)
    }
}

extension SalvageReport {
    fileprivate init(_ findings: [ExportTable: StoreSalvage.Finding]) {
        var summary = ExportSummary(findings.mapValues(\.rows))
        var problems: [String] = []
        for table in ExportTable.allCases {
            guard let finding = findings[table], finding.unreadable != 0 else { continue }
            guard let missing = finding.unreadable else {
                problems.append("an unknown number of rows of \(table.rawValue) cannot be read")
                continue
            }
            summary.damaged += missing
            problems.append("\(missing) rows of \(table.rawValue) cannot be read")
        }
        self.init(summary: summary, problems: problems)
    }
}
