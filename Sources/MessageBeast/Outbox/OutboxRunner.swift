internal import AppNet
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// Runs the senders of an engine's channels: one for each channel, woken by calls, by time and by the network.
final class OutboxRunner: Sendable {
    private let context: EngineContext
    private let owners: any ClaimOwners
    private let gate = SendGate()
    /// A channel has one pass at a time.
    private let locks = ChannelLocks()
    private let state = Guarded(State())

    private struct State {
        /// The loops, by channel, with the signals that wake them.
        var loops: [AppNetChannel.ID: Loop] = [:]
        var isStopped = false
    }

    private struct Loop {
        var signal = Signal<Void>()
        /// Whether the loop was woken since it has begun its last pass.
        var isWoken = false
        var task: Task<Void, Never>?
    }

    /// The time after which a channel is tried again whose database could not be used.
    private static let failureDelay = Duration.seconds(60)

    init(context: EngineContext, owners: any ClaimOwners) {
        self.context = context
        self.owners = owners
        context.waker.connect { [weak self] in self?.wake($0) }
    }

    /// Sends what is due in a channel, and returns when nothing is due any more.
    ///
    /// - Parameter isExplicit: Whether the user asks for it: then nothing waits for its time, or for a sign-in.
    func drain(_ channel: AppNetChannel.ID, isExplicit: Bool) async throws -> Duration? {
        let term = try context.life.term()
        if isExplicit {
            gate.reset()
            try await context.write(term) { try OutboxTable(database: $0).expedite(channel.text) }
        }
        let sender = ChannelSender(context: context, channel: channel, owners: owners, gate: gate)
        return try await locks.lock(for: channel).withLock { try await sender.pass() }
    }

    /// Lets everything be sent again that waited for a sign-in.
    func resume() { gate.reset() }

    /// Makes the loop of a channel look at the outbox. Begins the loop if it does not run.
    func wake(_ channel: AppNetChannel.ID) {
        let signal = state.withLock { state -> Signal<Void>? in
            guard !state.isStopped else { return nil }
            if let loop = state.loops[channel] {
                // Noted under the lock: a loop that is about to end sees it.
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

    /// Ends the loops and waits for them. Claims remain for the next engine.
    func stop() async {
        for task in cancelLoops() { await task.value }
        owners.end()
    }

    /// Ends the loops without waiting for them, as a killed process does.
    func abandon() {
        _ = cancelLoops()
        owners.end()
    }

    private func cancelLoops() -> [Task<Void, Never>] {
        let tasks = state.withLock { state in
            state.isStopped = true
            return state.loops.values.compactMap(\.task)
        }
        for task in tasks { task.cancel() }
        return tasks
    }

    /// Sends until nothing waits any more.
    private func run(_ channel: AppNetChannel.ID) async {
        while !Task.isCancelled {
            let signal = Signal<Void>()
            state.withLock { state in
                state.loops[channel]?.signal = signal
                state.loops[channel]?.isWoken = false
            }
            do {
                if let delay = try await delay(of: channel) {
                    try await signal.wait(atMost: delay, clock: context.clock)
                } else if end(channel) {
                    return
                }
            } catch {
                break
            }
        }
        state.withLock { $0.loops[channel] = nil }
    }

    /// Sends what is due.
    ///
    /// - Returns: The delay until something is due again; `nil` if nothing waits.
    /// - Throws: `CancellationError`, or the error of an engine that was stopped or wiped.
    private func delay(of channel: AppNetChannel.ID) async throws -> Duration? {
        do {
            return try await drain(channel, isExplicit: false)
        } catch let error as MessageBeastError where ![.stopped, .wiped].contains(error.kind) {
            return Self.failureDelay
        }
    }

    /// Ends a loop that has nothing to do, unless it was woken meanwhile.
    private func end(_ channel: AppNetChannel.ID) -> Bool {
        state.withLock { state in
            guard state.loops[channel]?.isWoken != true else { return false }
            state.loops[channel] = nil
            return true
        }
    }
}
