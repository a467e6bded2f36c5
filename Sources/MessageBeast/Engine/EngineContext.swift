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
    let waker = LoopWaker()
    let observers = ObserverList()
    let unreported = UnreportedExclusions()
    let filters = ChannelFilters()

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

    /// Runs one write transaction, unless the engine was stopped or the store was wiped since `term` began, and wakes the
    /// loops for which it made something due.
    ///
    /// All writes of the engine use this function. It throws only if nothing was written, also if the task is cancelled.
    /// A call that writes takes its result from the transaction, because a read after it may throw.
    ///
    /// - Parameters:
    ///   - writer: The writer, which is not woken. Default: `nil`, a writer that no loop is.
    ///   - sends: Whether loops that send are woken. If `false`, the rows wait for another write or an explicit call.
    ///     Default: `true`.
    ///   - committed: Called after the commit and before loops are woken.
    ///   - body: Reads and writes. Its result is that of the function.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/readOnly`` if the engine only reads.
    func write<Value: Sendable>(
        _ term: EngineLife.Term,
        by writer: DueRowWriter? = nil,
        sends: Bool = true,
        committed: @escaping @Sendable (Value) -> Void = { _ in },
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let (life, waker) = (life, waker)
        guard !options.isReadOnly else { throw MessageBeastError(.readOnly, "the engine was opened only for reading") }
        do {
            let (value, _) = try await database.access.write { database -> (Value, [EngineLoop]) in
                try life.check(term)
                let value = try body(database)
                let due = try DueRows(database: database).take(by: writer)
                return (value, sends ? due : due.filter { $0 == .geocoder })
            } publish: { result, _ in
                committed(result.0)
                waker.wake(result.1)
            }
            return value
        } catch {
            throw MessageBeastError.translated(error)
        }
    }
}
