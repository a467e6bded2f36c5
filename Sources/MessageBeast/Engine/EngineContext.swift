internal import AppNet
internal import GRDB
internal import HeliumCore
internal import HeliumDatabase

/// The state that the parts of one engine share.
struct EngineContext: Sendable {
    /// A sibling of the engine's client that does not retry requests by itself.
    let client: AppNetClient
    let account: AppNetUser.ID
    let database: BeastDatabase
    let configuration: MessageManagerConfiguration
    let options: MessageManager.Options
    let events: EventBroadcast
    let life: EngineLife
    /// The bytes of pending files.
    let staged: any StagedFiles
    let waker = OutboxWaker()
    let observers = ObserverList()

    var clock: any HeliumClock { client.environment.clock }
    var random: RandomSource { client.environment.random }
    var now: Milliseconds { Milliseconds(wallTime: clock.wallTime) }

    /// Records that a crash point is reached. Without a test that sets ``MessageManager/Options/reached``, this does
    /// nothing.
    func reached(_ point: CrashPoint) { options.reached?(point) }

    /// Reads one snapshot of the database.
    ///
    /// - Throws: ``MessageBeastError``.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await database.access.read(body)
        } catch {
            throw MessageBeastError.translated(error)
        }
    }

    /// Runs one write transaction, unless the engine was stopped or the store was wiped since `term` began.
    ///
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/readOnly`` if the engine only reads.
    func write<Value: Sendable>(
        _ term: EngineLife.Term,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let life = life
        guard !options.isReadOnly else { throw MessageBeastError(.readOnly, "the engine was opened only for reading") }
        do {
            return try await database.access.write { database in
                try life.check(term)
                return try body(database)
            }
        } catch {
            throw MessageBeastError.translated(error)
        }
    }
}
