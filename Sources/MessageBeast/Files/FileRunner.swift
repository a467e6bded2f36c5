internal import AppNet
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// Runs the uploads and the file deletions of an engine.
///
/// Uploads start when a sender reaches a message that waits for them. Each upload is a separate task, so it delays
/// nothing else: other channels are sent, and deletions and fetches of the same channel continue. Only later messages
/// of its channel wait, because a channel is sent in order.
final class FileRunner: Sendable {
    private let context: EngineContext
    private let owners: any ClaimOwners
    private let gate: SendGate
    private let calls: SendingCalls
    private let permits: AsyncLock
    private let deletions = AsyncLock()
    private let state = Guarded(State())

    private struct State {
        /// The running uploads, by file, with signals for their end.
        var uploads: [String: Upload] = [:]
        var endedUploads = 0
        var loop: Task<Void, Never>?
        /// Settled when the loop has something to do.
        var news = Signal<Void>()
        /// Wakes the sender of a channel, which then reads the outbox.
        var wake: (@Sendable (AppNetChannel.ID) -> Void)?
        var isStopped = false
    }

    private struct Upload {
        let end: Signal<Void>
        let task: Task<Void, Never>
    }

    /// The delay before a retry after a database failure.
    private static let failureDelay = Duration.seconds(60)

    init(context: EngineContext, owners: any ClaimOwners, gate: SendGate, calls: SendingCalls) {
        self.context = context
        self.owners = owners
        self.gate = gate
        self.calls = calls
        permits = AsyncLock(permits: context.options.maximumUploads)
    }

    /// Sets the function to call for each channel whose messages waited for a file.
    func connect(_ wake: @escaping @Sendable (AppNetChannel.ID) -> Void) { state.withLock { $0.wake = wake } }

    // MARK: Staging

    func stage(_ source: StagingSource, _ description: FileStaging.Description) async throws -> PendingFile {
        try await FileStaging(context: context, owners: owners).stage(source, description)
    }

    /// Removes staged bytes that no row names, after a transaction that has failed.
    func removeUnnamed() async { try? await StagedCollection(context: context, owners: owners).run() }

    // MARK: Uploads

    /// Starts uploading those of the files that are not being uploaded.
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
        // After a database failure: without a delay, the sender would restart the upload in a tight loop.
        if hasFailed { try? await context.clock.sleep(for: Self.failureDelay) }
        let wakeChannel = state.withLock { state in
            state.uploads[id] = nil
            state.endedUploads += 1
            return state.wake
        }
        // This runs after the removal, so that a sender that looks now starts a new upload.
        guard let channels = await channels(waitingFor: id) else { return }
        for channel in channels { wakeChannel?(channel) }
        // No message uses the file any more. The loop decides when to retry.
        if channels.isEmpty { wake() }
    }

    /// Returns the channels to wake after an upload; `nil` if the task is cancelled. A failed read is repeated, because
    /// nothing else wakes the channels.
    private func channels(waitingFor id: String) async -> [AppNetChannel.ID]? {
        while true {
            do {
                let ids = try await context.read { try PendingFileTable(database: $0).channels(waitingFor: id) }
                return ids.map { AppNetChannel.ID($0) }
            } catch {
                guard (try? await context.clock.sleep(for: Self.failureDelay)) != nil else { return nil }
            }
        }
    }

    /// The number of uploads that have ended, with or without success.
    var endedUploads: Int { state.withLock { $0.endedUploads } }

    /// Waits for the uploads of files that the unsent messages of a channel use.
    ///
    /// - Returns: Whether there were any.
    func finishUploads(for channel: AppNetChannel.ID) async throws -> Bool {
        // Uploaded files are included: an upload that has recorded its outcome is still counted as running for a
        // moment.
        let ids = try await context.read { try PendingFileTable(database: $0).used(in: channel.text) }
        let ends = state.withLock { state in ids.compactMap { state.uploads[$0]?.end } }
        for end in ends { try await end.value() }
        return !ends.isEmpty
    }

    // MARK: Deletions and unused files

    /// Makes the loop look for deletions and for unused files. Starts the loop if it does not run.
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

    /// Sends all deletions regardless of their delays, and returns when none can be sent at the moment.
    func sendDeletions() async throws {
        try await context.write(try context.life.term()) { try FileDeletionTable(database: $0).expedite() }
        var isFinished = false
        // The loop does what remains, also if the call is cancelled.
        defer { if !isFinished { wake() } }
        isFinished = try await calls.run({ try await self.pass() }) == nil
    }

    /// Retries a parked file, and the messages that wait only for it.
    func retry(_ id: String) async throws {
        try await context.write(try context.life.term()) { database in
            let table = PendingFileTable(database: database)
            guard try table.row(id)?.state == .parked else { throw Self.notParkedError(id) }
            try table.unpark(id)
            try table.unparkMessages(of: id)
        }
    }

    /// Removes a parked file that no message uses.
    func discard(_ id: String) async throws {
        try await context.write(try context.life.term()) { database in
            let table = PendingFileTable(database: database)
            guard try table.row(id)?.state == .parked else { throw Self.notParkedError(id) }
            guard try !table.isUsed(id) else {
                throw MessageBeastError(.invalidArgument, "messages use the file \(id): discard or delete them first")
            }
            try table.dispose(of: [id])
            // Its creation has an unknown outcome, and finding it out has failed too often. At worst an incomplete file
            // remains on the service.
            try table.delete(id)
        }
    }

    private static func notParkedError(_ id: String) -> MessageBeastError {
        MessageBeastError(.notFound, "no file with the id \(id) is parked")
    }

    private func pass() async throws -> Duration? {
        try await deletions.withLock {
            let delay = try await FileDeletions(context: context, gate: gate).pass()
            try await StagedCollection(context: context, owners: owners).run()
            return [delay, try await settleAbandoned()].compactMap(\.self).min()
        }
    }

    /// Resolves files whose creation has an unknown outcome and that no message uses any more.
    ///
    /// - Returns: The delay until such a file is due again.
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

    /// Runs the work that is due.
    ///
    /// - Returns: The delay until work is due again; `nil` if nothing waits.
    /// - Throws: `CancellationError`, or ``MessageBeastError/Kind/stopped``.
    private func delay() async throws -> Duration? {
        do {
            return gate.isUnreachable ? nil : try await pass()
        } catch let error as MessageBeastError where error.kind == .stopped {
            throw error
        } catch {
            // Any other failure is temporary. Only the end of the engine cancels the loop.
            try Task.checkCancellation()
            return Self.failureDelay
        }
    }

    // MARK: Stopping

    /// Cancels uploads and deletions.
    ///
    /// - Returns: The tasks, which may still be running. Claims remain for the next engine.
    func cancel() -> [Task<Void, Never>] {
        let tasks = state.withLock { state in
            state.isStopped = true
            return state.uploads.values.map(\.task) + (state.loop.map { [$0] } ?? [])
        }
        for task in tasks { task.cancel() }
        return tasks
    }
}
