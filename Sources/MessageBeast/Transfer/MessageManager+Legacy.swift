internal import GRDB
internal import HeliumFiles

/// The result of importing a legacy database.
public struct LegacySummary: Sendable, Hashable {
    /// The number of messages of the service that were added.
    public var messages = 0
    /// The number of unsent messages that were added.
    public var unsent = 0
    /// The number of drafts that were added.
    public var drafts = 0
    /// The number of deletions that were queued.
    public var deletions = 0
    /// The number of pending files that were added.
    public var files = 0
    /// The number of messages that could not be read.
    public var unreadable = 0
}

extension MessageManager {
    /// Imports a database of AATTMessageManager, for iOS or Android, in one transaction. The database is only read.
    ///
    /// A second import adds nothing: messages that are stored, or that were sent or deleted since, are left unchanged.
    /// Hashtags, places and indexes are derived again. It is unknown whether earlier attempts to send a message reached
    /// the service, so unsent messages are first searched for there. Pending files are copied; a file whose source is
    /// missing is parked. Everything is sent as if it was written here.
    ///
    /// The file does not contain the types of channels. Look them up with ``privateChannel(ofType:parameters:)`` and
    /// ``ActionMessageManager/channel(ofType:target:)``, before or after the import.
    ///
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/notADatabase`` and
    ///   ``MessageBeastError/Kind/damaged`` for a file that is not such a database. Nothing is imported in that case.
    @discardableResult
    nonisolated public func importLegacy(from path: String) async throws -> LegacySummary {
        let term = try context.life.term()
        let (configuration, now, account, random) = (
            context.configuration, context.now, context.account, context.random
        )
        let staged = context.staged
        do {
            return try await context.write(term) { transaction in
                var settings = Configuration()
                settings.readonly = true
                settings.label = "helium.messagebeast.legacy"
                let legacy = try DatabaseQueue(path: FileFacts.absolutePath(path), configuration: settings)
                let files = LegacyFiles(staged: staged, random: random)
                do {
                    return try legacy.read { source in
                        try LegacyImport(
                            database: transaction,
                            file: LegacyFile(source),
                            account: account,
                            configuration: configuration,
                            now: now,
                            random: random,
                            files: files
                        ).run()
                    }
                } catch {
                    files.abandon()
                    throw error
                }
            }
        } catch {
            // The end of the transaction may have failed, after all files were written.
            await outbox.files.removeUnnamed()
            throw error
        }
    }
}
