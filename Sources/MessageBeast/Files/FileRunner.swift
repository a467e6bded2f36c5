internal import AppNet
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// Runs an engine's uploads and its deletions of files.
///
/// Uploads begin when a sender meets a message that waits for them. Each is a task of its own, so that nothing else waits
/// for it: other channels send, and deletions and fetches of the same channel go on. Only the messages behind it in its channel
/// wait, because a channel is sent in order.
final class FileRunner: Sendable {
    private let context: EngineContext
    private let owners: any ClaimOwners
    private let gate: SendGate
    private let calls: SendingCalls
    private let permits: AsyncLock
    private let deletions = AsyncLock()
    private let state = Guarded(State())

    private struct State {
        /// The uploads under way, by file, with the signals that they have ended.
        var uploads: [String: Upload] = [:]
        var endedUploads = 0
        var loop: Task<Void, Never>?
        /// Settled when there is something to do for the loop.
        var news = Signal<Void>()
        /// Makes the sender of a channel look at the outbox.
        var wake: (@Sendable (AppNetChannel.ID) -> Void)?
        var isStopped = false
    }

    private struct Upload {
        let end: Signal<Void>
        let task: Task<Void, Never>
    }

    /// The time after which something is tried again for which the database could not be used.
    private static let failureDelay = Duration.seconds(60)

    init(context: EngineContext, owners: any ClaimOwners, gate: SendGate, calls: SendingCalls) {
        self.context = context
        self.owners = owners
        self.gate = gate
        self.calls = calls
        permits = AsyncLock(permits: context.options.maximumUploads)
    }

    /// Sets the function that is called for each channel whose messages have waited for a file.
    func connect(_ wake: @escaping @Sendable (AppNetChannel.ID) -> Void) { state.withLock { $0.wake = wake } }

    // MARK: Staging

    func stage(_ source: StagingSource, _ description: FileStaging.Description) async throws -> PendingFile {
        try await FileStaging(context: context, owners: owners).stage(source, description)
    }

    // MARK: Uploads

    /// Begins to upload files that are not being uploaded.
    func upload(_ ids: [String]) {
        state.withLock { state in
            guard !state.isStopped else { return }
            for id in ids where state.uploads[id] == nil {
                let end = Signal<Void>()
                let task = Task { [weak self] in
                    await self?.run(id)
                    end.settle()
                }
                state.uploads[id] = Upload(end: end, task: task)
            }
        }
    }

    private func run(_ id: String) async {
        let upload = FileUpload(context: context, owners: owners, gate: gate, id: id)
        var hasFailed = false
        do {
            try await permits.withLock { try await upload.run() }
        } catch let error as MessageBeastError where ![.stopped, .wiped].contains(error.kind) {
            hasFailed = true
        } catch {}
        // A failure of the database: without a delay the sender would begin the upload again and again.
        if hasFailed { try? await context.clock.sleep(for: Self.failureDelay) }
        let wakeChannel = state.withLock { state in
            state.uploads[id] = nil
            state.endedUploads += 1
            return state.wake
        }
        // After the removal: a sender that looks now begins it anew.
        let channels = try? await context.read { try PendingFileTable(database: $0).waiting(for: id).map(\.channel) }
        var seen: Set<String> = []
        for channel in channels ?? [] where seen.insert(channel).inserted { wakeChannel?(AppNetChannel.ID(channel)) }
        // No message uses it any more: the loop looks when to try again.
        if channels?.isEmpty == true { wake() }
    }

    /// The number of uploads that have ended, however they did.
    var endedUploads: Int { state.withLock { $0.endedUploads } }

    /// Waits for the uploads of files that the unsent messages of a channel use.
    ///
    /// - Returns: Whether there were any.
    func finishUploads(for channel: AppNetChannel.ID) async throws -> Bool {
        // Those that are uploaded too: an upload has not ended yet when it records its outcome, and counts as ended only later.
        let ids = try await context.read { try PendingFileTable(database: $0).used(in: channel.text) }
        let ends = state.withLock { state in ids.compactMap { state.uploads[$0]?.end } }
        for end in ends { try await end.value() }
        return !ends.isEmpty
    }

    // MARK: Deletions and unused files

    /// Makes the loop look for deletions, and for files that are not used any more. Begins the loop if it does not run.
    func wake() {
        guard context.options.sendsAutomatically else { return }
        let news = state.withLock { state -> Signal<Void>? in
            guard !state.isStopped else { return nil }
            guard state.loop != nil else {
                state.loop = Task { [weak self] in await self?.run() }
                return nil
            }
            return state.news
        }
        news?.settle()
    }

    /// Makes the loop look for unused files, if there are staged ones.
    func collect() {
        if !context.staged.names().isEmpty { wake() }
    }

    /// Sends the deletions, whatever they wait for, and returns when none can be sent at the moment.
    func sendDeletions() async throws {
        try await context.write(try context.life.term()) { try FileDeletionTable(database: $0).expedite() }
        if try await calls.run({ try await self.pass() }) != nil { wake() }
    }

    /// Lets a parked file be uploaded again, with the messages that wait for nothing else.
    ///
    /// - Returns: The channels of the messages.
    func retry(_ id: String) async throws -> [AppNetChannel.ID] {
        try await context.write(try context.life.term()) { database in
            let table = PendingFileTable(database: database)
            guard try table.row(id)?.state == .parked else { throw Self.notParked(id) }
            try table.unpark(id)
            return try table.unparkMessages(of: id).map { AppNetChannel.ID($0) }
        }
    }

    /// Removes a parked file that no message uses.
    func discard(_ id: String) async throws {
        try await context.write(try context.life.term()) { database in
            let table = PendingFileTable(database: database)
            guard try table.row(id)?.state == .parked else { throw Self.notParked(id) }
            guard try !table.isUsed(id) else {
                throw MessageBeastError(.invalidArgument, "messages use the file \(id): discard or delete them first")
            }
            try table.dispose(of: [id])
        }
        wake()
    }

    private static func notParked(_ id: String) -> MessageBeastError {
        MessageBeastError(.notFound, "no file with the id \(id) is parked")
    }

    private func pass() async throws -> Duration? {
        try await deletions.withLock {
            let delay = try await FileDeletions(context: context, gate: gate).pass()
            try await StagedCollection(context: context, owners: owners).run()
            return [delay, try await settleAbandoned()].compactMap(\.self).min()
        }
    }

    /// Finds out about files whose creation has an unknown outcome, and that no message uses any more.
    ///
    /// - Returns: The delay until one is due again.
    private func settleAbandoned() async throws -> Duration? {
        if gate.needsSignIn { return nil }
        if let delay = gate.delay(clock: context.clock) { return delay }
        let rows = try await context.read { try PendingFileTable(database: $0).abandoned() }
        let now = context.now
        var earliest: Duration?
        for row in rows {
            let delay = row.isHeld(owners) ? ChannelSender.foreignDelay : row.nextAttempt.delay(after: now)
            if let delay { earliest = min(earliest ?? delay, delay) } else { upload([row.id]) }
        }
        return earliest
    }

    private func run() async {
        while !Task.isCancelled {
            let signal = Signal<Void>()
            state.withLock { $0.news = signal }
            do {
                try await signal.wait(atMost: try await delay(), clock: context.clock)
            } catch {
                return
            }
        }
    }

    /// Does what is due.
    ///
    /// - Returns: The delay until something is due again; `nil` if nothing waits.
    /// - Throws: `CancellationError`, or the error of an engine that was stopped.
    private func delay() async throws -> Duration? {
        do {
            return gate.isUnreachable ? nil : try await pass()
        } catch let error as MessageBeastError where error.kind != .stopped {
            return Self.failureDelay
        }
    }

    // MARK: The end

    /// Ends uploads and deletions.
    ///
    /// - Returns: The tasks, which have not ended yet. Claims remain for the next engine.
    func cancel() -> [Task<Void, Never>] {
        let tasks = state.withLock { state in
            state.isStopped = true
            return state.uploads.values.map(\.task) + (state.loop.map { [$0] } ?? [])
        }
        for task in tasks { task.cancel() }
        return tasks
    }
}
