internal import AppNet
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// Runs the senders of an engine's channels. Each channel has one sender, which calls, timers and the network wake.
final class OutboxRunner: Sendable {
    private let context: EngineContext
    private let owners: any ClaimOwners
    private let gate: SendGate
    /// Runs the uploads and deletions of files.
    let files: FileRunner
    /// A lock for each channel, which allows one pass at a time.
    private let locks = ChannelLocks()
    private let calls: SendingCalls
    private let state = Guarded(State())

    private struct State {
        /// The loops, by channel, with the signals that wake them.
        var loops: [AppNetChannel.ID: Loop] = [:]
        var isStopped = false
    }

    private struct Loop {
        var signal = Signal<Void>()
        /// Whether the loop was woken since the start of its last pass.
        var isWoken = false
        var task: Task<Void, Never>?
    }

    /// The delay before a channel is retried after a database failure.
    private static let failureDelay = Duration.seconds(60)

    init(context: EngineContext, owners: any ClaimOwners) {
        let (gate, calls) = (SendGate(), SendingCalls())
        self.context = context
        self.owners = owners
        self.gate = gate
        self.calls = calls
        files = FileRunner(context: context, owners: owners, gate: gate, calls: calls)
        files.connect { [weak self] channel in self?.wake(channel) }
        context.waker.connect { [weak self] loop in
            switch loop {
            case .channel(let channel): self?.wake(channel)
            case .files: self?.files.wake()
            case .geocoder: break
            }
        }
    }

    /// Sends the due work of a channel and returns when nothing is due any more.
    ///
    /// The loop of the channel does what remains, also if the call is cancelled.
    ///
    /// - Parameter isExplicit: Whether the user requested it. If `true`, nothing waits for its time or for a sign-in.
    func drain(_ channel: AppNetChannel.ID, isExplicit: Bool) async throws -> Duration? {
        var isFinished = false
        defer { if !isFinished { wake(channel) } }
        let openings = gate.openings
        let delay = try await send(channel, isExplicit: isExplicit)
        isFinished = delay == nil && !gate.isShut && gate.openings == openings
        return delay
    }

    private func send(_ channel: AppNetChannel.ID, isExplicit: Bool) async throws -> Duration? {
        try await calls.run { try await self.pass(of: channel, isExplicit: isExplicit) }
    }

    private func pass(of channel: AppNetChannel.ID, isExplicit: Bool) async throws -> Duration? {
        let term = try context.life.term()
        if isExplicit {
            resume()
            let expedited = try await context.write(term, by: .sender(channel)) { database in
                try OutboxTable(database: database).expedite(channel.text)
                return try PendingFileTable(database: database).expedite(channel.text)
            }
            gate.forgetFailures(in: channel, files: expedited)
        }
        if !isExplicit, gate.isUnreachable { return nil }
        let (sender, lock) = (sender(of: channel), locks.lock(for: channel))
        while true {
            let uploads = files.endedUploads
            let delay = try await lock.withLock { try await sender.pass() }
            // A fetch that sends first does not wait for uploads, which may take long.
            guard isExplicit else { return delay }
            let hasWaited = try await files.finishUploads(for: channel)
            // An upload that the pass started may have ended before it could be waited for.
            if !hasWaited, files.endedUploads == uploads { return delay }
        }
    }

    private func sender(of channel: AppNetChannel.ID, isPass: Bool = true) -> ChannelSender {
        ChannelSender(context: context, channel: channel, owners: owners, gate: gate, files: files, isPass: isPass)
    }

    /// Empties the store.
    func wipe() async throws { try await StoreWipe(context: context, owners: owners).run() }

    /// Edits an unsent message. A message whose outcome is unknown is first searched for on the service.
    ///
    /// - Returns: The stored message.
    /// - Throws: ``MessageBeastError``; `AppNetError`, also if the request to the service failed.
    func edit(_ id: Message.ID, to message: Message) async throws -> MessagePlus {
        try await calls.run { try await self.store(message, as: id) }
    }

    private func store(_ message: Message, as id: Message.ID) async throws -> MessagePlus {
        let edit = MessageEdit(context: context)
        let row = try await edit.row(of: id)
        let channel = AppNetChannel.ID(row.channel)
        guard row.isUnknown else { return try await edit.edit(id, to: message, isKnownToBeMissing: false) }
        let (sender, search) = (sender(of: channel, isPass: false), TokenSearch(context: context, channel: channel))
        let term = try context.life.term()
        return try await locks.lock(for: channel).withLock {
            if case .found(let found) = try await search.find(row) {
                _ = try await sender.adopt(row, found, term)
                throw MessageBeastError(.notEditable, "the message \(id) was sent")
            }
            // A deleted message may have been this one. By editing it, the user has decided to send it.
            return try await edit.edit(id, to: message, isKnownToBeMissing: true)
        }
    }

    /// Whether automatic sending is suspended because the service cannot be reached.
    var isUnreachable: Bool { gate.isUnreachable }

    /// Records whether the service can be reached. When it becomes reachable, all pending work is due.
    ///
    /// If the database fails, the work is done after its delays.
    func setReachable(_ isReachable: Bool) async throws {
        gate.isUnreachable = !isReachable
        guard isReachable else { return }
        gate.forgetFailures()
        // Before the database is used, which may fail.
        wakeAll()
        let channels = try await context.write(try context.life.term()) { database in
            let outbox = OutboxTable(database: database)
            let channels = try outbox.channels()
            for channel in channels {
                try outbox.expedite(channel)
                try PendingFileTable(database: database).expedite(channel)
            }
            try FileDeletionTable(database: database).expedite()
            return channels
        }
        for channel in channels { wake(AppNetChannel.ID(channel)) }
    }

    /// Resumes all work that waited for a sign-in, in all channels.
    func resume() {
        if gate.reset() { wakeAll() }
    }

    /// Wakes all loops that run. Those that wait for the gate are among them.
    private func wakeAll() {
        let signals = state.withLock { state in
            for channel in state.loops.keys { state.loops[channel]?.isWoken = true }
            return state.loops.sorted { $0.key.text < $1.key.text }.map(\.value.signal)
        }
        for signal in signals { signal.settle() }
        files.wake()
    }

    /// Resumes a pause that the service requested from an earlier engine.
    func restorePause() async throws {
        let now = context.now
        guard let delay = try await context.read({ try SendingPause(database: $0).delay(after: now) }) else { return }
        gate.close(for: delay, clock: context.clock)
    }

    /// Makes the loop of a channel read the outbox. Starts the loop if it does not run.
    func wake(_ channel: AppNetChannel.ID) {
        guard context.options.sendsAutomatically else { return }
        let signal = state.withLock { state -> Signal<Void>? in
            guard !state.isStopped else { return nil }
            if let loop = state.loops[channel] {
                // Set under the lock, so that a loop that is about to end sees it.
                state.loops[channel]?.isWoken = true
                return loop.signal
            }
            var loop = Loop()
            loop.task = Task { [weak self] in await self?.run(channel) }
            state.loops[channel] = loop
            return nil
        }
        signal?.settle()
    }

    /// Stops all sending and waits for it. Claims remain for the next engine.
    func stop() async {
        for end in cancel() { await end() }
        owners.end()
    }

    /// Stops all sending without waiting for it, like a killed process.
    func abandon() {
        _ = cancel()
        owners.end()
    }

    private func cancel() -> [@Sendable () async -> Void] {
        let tasks = state.withLock { state in
            state.isStopped = true
            return state.loops.values.compactMap(\.task)
        }
        for task in tasks { task.cancel() }
        return calls.cancel() + (tasks + files.cancel()).map { task in { await task.value } }
    }

    /// Sends until nothing is pending. While the gate is shut, the loop waits, so that nothing has to be read to resume it.
    private func run(_ channel: AppNetChannel.ID) async {
        while !Task.isCancelled {
            let signal = Signal<Void>()
            state.withLock { state in
                state.loops[channel]?.signal = signal
                state.loops[channel]?.isWoken = false
            }
            do {
                let openings = gate.openings
                let delay = try await delay(of: channel)
                if delay != nil || gate.isShut {
                    try await signal.wait(atMost: delay, clock: context.clock)
                } else if gate.openings == openings, end(channel) {
                    // The gate was open all the time. Otherwise, it may have been opened after the pass: the event that
                    // opens it wakes only loops that have not ended.
                    return
                }
            } catch let error as MessageBeastError where error.kind == .wiped {
                // The next pass reads what is left: nothing, unless the wipe failed.
            } catch {
                break
            }
        }
        state.withLock { $0.loops[channel] = nil }
    }

    /// Sends the due work.
    ///
    /// - Returns: The delay until something is due again; `nil` if nothing waits.
    /// - Throws: `CancellationError`, or the error of an engine that was stopped or wiped.
    private func delay(of channel: AppNetChannel.ID) async throws -> Duration? {
        do {
            return try await send(channel, isExplicit: false)
        } catch let error as MessageBeastError where [.stopped, .wiped].contains(error.kind) {
            throw error
        } catch {
            // Any other failure is temporary. Only the end of the engine cancels the loop.
            try Task.checkCancellation()
            return Self.failureDelay
        }
    }

    /// Ends a loop that has nothing to do, unless it was woken in the meantime.
    private func end(_ channel: AppNetChannel.ID) -> Bool {
        state.withLock { state in
            guard state.loops[channel]?.isWoken != true else { return false }
            state.loops[channel] = nil
            return true
        }
    }
}
