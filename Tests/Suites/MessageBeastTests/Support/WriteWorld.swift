import AppNet
import Foundation
import GRDB
import HeliumConcurrency
import HeliumCore
import HeliumDatabase
import HeliumTesting
import Synchronization
import Testing

@testable import MessageBeast

/// An engine that sends nothing by itself, and whose calls go wrong where a test says. Two worlds are equal.
struct WriteWorld: Sendable {
    static let journal = Journal.channel
    static let actions = Journal.actions

    let manager: MessageManager
    let faults = WriteFaults()
    private let queue: DatabaseQueue
    private let staged = StagedMemory()
    private let woken = WokenLoops()

    /// The database that each world copies. Migrations take longer than everything that a call does.
    private static let template = Result<DatabaseQueue, any Error> {
        let queue = try DatabaseQueue()
        _ = try BeastDatabase(DatabaseAccess(queue), account: "1")
        try queue.write { try Journal.saveChannels(in: $0) }
        return queue
    }

    /// - Parameter fault: The fault that can happen.
    init(_ fault: WriteFault? = nil) throws {
        queue = try DatabaseQueue()
        try Self.template.get().backup(to: queue)
        let clock = TestClock(wallTime: .seconds(1_700_000_000), skippingSleepsUpTo: .seconds(600))
        var configuration = AppNetConfiguration(token: "alice-token", baseURL: URL(string: "https://api.example.com"))
        configuration.environment = ClientEnvironment(
            transport: AcceptingService(faults: faults),
            clock: clock,
            random: .seeded(4)
        )
        var options = MessageManager.Options()
        options.sendsAutomatically = false
        let faults = faults
        manager = try MessageManager(
            client: try AppNetClient(configuration: configuration),
            account: "1",
            database: try BeastDatabase(DatabaseAccess(queue, passing: { try faults.pass($0) }), account: "1"),
            owners: SoleOwner(own: "00000000-0000-4000-8000-000000000001"),
            configuration: .everything,
            options: options,
            geocoder: nil,
            staged: staged
        )
        manager.context.waker.connect { [woken] in woken.add($0) }
        try faults.watch(for: fault, Self.tables, of: queue)
    }

    // MARK: Contents

    /// The tables, as far as they are not indexes.
    private static let tables =
        ExportTable.allCases.map(\.rawValue) + [
            "hashtag_instance", "annotation_instance", "location_instance", "geocode_queue",
        ]

    /// Everything that the store has.
    func contents() throws -> String {
        let rows = try queue.read { database in
            try Self.tables.map { table in
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map(\.description).sorted()
                return "\(table): \(rows.joined(separator: "\n"))"
            }
        }
        return (rows + ["files: \(staged.names())"]).joined(separator: "\n")
    }

    /// The loops that were woken since the last call.
    func takeWoken() -> Set<EngineLoop> { woken.take() }

    /// Changes rows, as the engine does after a response.
    func execute(_ sql: String) throws { try queue.write { try $0.execute(sql: sql) } }

    /// Stores a message of the service.
    @discardableResult
    func receive(_ id: Message.ID, _ text: String = "Tea #tag") async throws -> Message.ID {
        var message = Message(text: text)
        message.id = id
        message.channelID = Self.journal
        message.createdAt = Journal.start
        let refresh = MessageRefresh(context: manager.context, channel: Self.journal)
        try await refresh.store([message], try manager.context.life.term())
        return id
    }

    /// Stores an unsent message, which is parked if there is a code.
    func write(
        _ text: String = "Tea #tag",
        files: [PendingFile.ID] = [],
        parkedFor code: String? = nil
    ) async throws -> Message.ID {
        let stored = try await manager.create(
            Message(text: text),
            in: Self.journal,
            attachments: files.map { PendingFileAttachment(pendingFileID: $0, isOEmbed: false) }
        )
        if let code { try execute("UPDATE outbox SET state = 'parked', claimed_ms = 1, last_error_code = '\(code)'") }
        return try #require(stored.message.id)
    }

    func stage() async throws -> PendingFile.ID {
        try await manager.stage(Data("bytes".utf8), name: "a.txt", type: "com.example.file").id
    }
}

/// The loops that an engine has woken.
final class WokenLoops: Sendable {
    private let loops = Guarded<Set<EngineLoop>>([])

    func add(_ loop: EngineLoop) { loops.withLock { loops in _ = loops.insert(loop) } }

    func take() -> Set<EngineLoop> {
        loops.withLock { loops in
            defer { loops = [] }
            return loops
        }
    }
}
