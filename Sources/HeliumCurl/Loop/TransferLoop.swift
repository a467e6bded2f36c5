import CLibcurl
import HeliumConcurrency
import HeliumCore
import HeliumWire
import Synchronization

/// The part of the loop that callers use: the pool of slots and the queue to the loop thread.
///
/// The first request starts the thread, so an unused transport has no cost.
final class TransferLoop: Sendable {
    /// The requests to the loop thread.
    struct Inbox {
        var submitted: [TransferSlot] = []
        var cancelled: [(slot: TransferSlot, generation: UInt64)] = []
        var resumed: [(slot: TransferSlot, generation: UInt64)] = []
        var jobs: [UnownedJob] = []
        var opened: [ByteChannel] = []
        var signalled: [ByteChannel] = []
        var askers: [CheckedContinuation<CurlTransport.Statistics, Never>] = []
        var isStopping = false

        var isEmpty: Bool {
            submitted.isEmpty && cancelled.isEmpty && resumed.isEmpty && jobs.isEmpty && opened.isEmpty
                && signalled.isEmpty && askers.isEmpty && !isStopping
        }
    }

    fileprivate enum Stage { case fresh, running, stopping, ended }

    fileprivate struct State {
        var stage = Stage.fresh
        var inbox = Inbox()
        var isSleeping = false
        var idleSlots: [TransferSlot] = []
        var worker: LoopWorker?
        var thread: SystemThread?
    }

    /// The maximum number of idle slots that are kept.
    private static let idleSlotLimit = 64

    let configuration: CurlTransport.Configuration
    let times: ConnectionTimes
    let turn = LoopTurn()
    let queue = LoopQueue()
    /// The handler of jobs that held the loop for longer than ``LoopWorker/longJob``.
    let onLongJob: (@Sendable (Duration) -> Void)?
    /// The driver of a simulation, which runs the worker itself; `nil` for that of the platform, and a thread.
    let driver: (any LoopDriver)?
    private let state = Guarded(State())
    /// Settled when the thread has ended all transfers.
    private let ended = Signal<Void>()

    init(
        configuration: CurlTransport.Configuration,
        times: ConnectionTimes = ConnectionTimes(),
        onLongJob: (@Sendable (Duration) -> Void)? = nil,
        driver: (any LoopDriver)? = nil
    ) {
        self.configuration = configuration
        self.times = times
        self.onLongJob = onLongJob
        self.driver = driver
    }
}

// MARK: The caller's side

extension TransferLoop {
    static let closed = TransportFailure(.clientClosed, delivery: .notSent, message: "the client is closed")

    /// Returns a slot that the caller owns until it is submitted or released.
    func acquire() throws(TransportFailure) -> TransferSlot {
        let slot = try state.withLock { state throws(TransportFailure) in
            if let slot = state.idleSlots.popLast() { return slot }
            return try TransferSlot(worker: start(&state))
        }
        slot.generation &+= 1
        return slot
    }

    private func start(_ state: inout State) throws(TransportFailure) -> LoopWorker {
        switch state.stage {
        case .running:
            if let worker = state.worker { return worker }
            throw TransferLoop.closed
        case .stopping, .ended:
            throw TransferLoop.closed
        case .fresh:
            let worker = try LoopWorker(loop: self)
            do throws(SystemThread.NotStarted) {
                if driver == nil { state.thread = try SystemThread(name: "helium-curl") { worker.run() } }
            } catch {
                worker.dispose()
                throw TransportFailure(
                    .transportFailed,
                    delivery: .notSent,
                    message: "the thread of the transport's event loop can't be started",
                    code: Int(error.code)
                )
            }
            state.stage = .running
            state.worker = worker
            return worker
        }
    }

    /// Passes the slot to the loop thread, which resumes its waiter.
    func submit(_ slot: TransferSlot) {
        // The thread takes its inbox only after this. A cancellation in between finds the slot there.
        if queue.isCurrent, slot.cancelledGeneration.load(ordering: .relaxed) != slot.generation {
            queue.submitted.append(slot)
            return
        }
        let (refusal, waker) = state.withLock { state -> (TransferAbort?, LoopWorker?) in
            guard state.stage == .running else { return (.clientClosed, nil) }
            guard slot.cancelledGeneration.load(ordering: .relaxed) != slot.generation else { return (.cancelled, nil) }
            state.inbox.submitted.append(slot)
            return (nil, state.wakesWorker())
        }
        if let refusal {
            slot.abort = refusal
            deliver(slot)
        }
        waker?.driver.wake()
    }

    /// Ends this use of the slot in any state: not yet submitted, queued, or active.
    func cancel(_ slot: TransferSlot, _ generation: UInt64) {
        let waker = state.withLock { state -> LoopWorker? in
            // A late cancellation of an earlier use must not hide a cancellation of this one.
            slot.cancelledGeneration.max(generation, ordering: .relaxed)
            guard state.stage == .running else { return nil }
            state.inbox.cancelled.append((slot, generation))
            return state.wakesWorker()
        }
        waker?.driver.wake()
    }

    /// Resumes a paused transfer.
    func resume(_ slot: TransferSlot, _ generation: UInt64) {
        let waker = state.withLock { state -> LoopWorker? in
            guard state.stage == .running else { return nil }
            state.inbox.resumed.append((slot, generation))
            return state.wakesWorker()
        }
        waker?.driver.wake()
    }

    /// Passes a new channel to the loop's thread.
    func open(_ channel: ByteChannel) throws(TransportFailure) {
        let waker = try state.withLock { state throws(TransportFailure) -> LoopWorker? in
            _ = try start(&state)
            state.inbox.opened.append(channel)
            return state.wakesWorker()
        }
        waker?.driver.wake()
    }

    /// Makes the loop's thread pass the channel's signals on. After the end of the loop there is no channel.
    func enqueue(_ channel: ByteChannel) {
        if queue.isCurrent {
            queue.signalled.append(channel)
            return
        }
        let waker = state.withLock { state -> LoopWorker? in
            guard state.stage == .running || state.stage == .stopping else { return nil }
            state.inbox.signalled.append(channel)
            return state.wakesWorker()
        }
        waker?.driver.wake()
    }

    /// Enqueues a job for the loop's thread. Returns `false` if the thread has ended or can't be started.
    func accept(_ job: UnownedJob) -> Bool {
        if queue.isCurrent {
            queue.jobs.append(job)
            return true
        }
        let (isAccepted, waker) = state.withLock { state -> (Bool, LoopWorker?) in
            guard (try? start(&state)) != nil else { return (false, nil) }
            state.inbox.jobs.append(job)
            return (true, state.wakesWorker())
        }
        waker?.driver.wake()
        return isAccepted
    }

    /// Returns the current statistics. All values are zero before the first request and after the end.
    func statistics() async -> CurlTransport.Statistics {
        await withCheckedContinuation { continuation in
            let (isAsked, waker) = state.withLock { state -> (Bool, LoopWorker?) in
                guard state.stage == .running else { return (false, nil) }
                state.inbox.askers.append(continuation)
                return (true, state.wakesWorker())
            }
            if !isAsked { continuation.resume(returning: CurlTransport.Statistics()) }
            waker?.driver.wake()
        }
    }

    /// Notifies the waiter of the slot's transfer that it has ended. Called by the slot's owner, which no longer owns
    /// it afterwards.
    func deliver(_ slot: TransferSlot) {
        let waiter = slot.takeWaiter()
        slot.upload?.stop()
        if let stream = slot.stream {
            let failure = slot.failure
            if !slot.isHeadDelivered {
                let hasHead = slot.head.isComplete && slot.abort?.isCancellation != true
                stream.setHead(hasHead ? slot.streamHead : .missing(failure ?? TransferLoop.closed))
            }
            stream.end(failure)
            // A stream's slot has no other user. A collecting caller releases its slot after reading the outcome.
            release(slot)
        } else {
            slot.handOver.store(true, ordering: .releasing)
        }
        waiter?.resume()
    }

    /// Returns a slot to the pool. The caller must not use it afterwards.
    func release(_ slot: TransferSlot) {
        slot.clean()
        state.withLock { state in
            if state.stage == .running, state.idleSlots.count < TransferLoop.idleSlotLimit {
                state.idleSlots.append(slot)
            }
        }
    }
}

// MARK: The end

extension TransferLoop {
    /// Ends all transfers and the thread. Returns when they have ended.
    func shutdown() async {
        let (hasEnded, worker) = state.withLock { state -> (Bool, LoopWorker?) in
            if state.stage == .ended || state.stage == .fresh {
                state.stage = .ended
                return (true, nil)
            }
            return (false, state.stop())
        }
        worker?.driver.wake()
        if !hasEnded { try? await ended.valueIgnoringCancellation() }
        // Resuming this call was the last action of the thread, so this does not block.
        if let thread = takeThread() { thread.join() }
    }

    /// Asks the thread to end all transfers and itself, without waiting.
    func abandon() {
        let worker = state.withLock { $0.stop() }
        worker?.driver.wake()
        if let thread = takeThread() { thread.detach() }
    }

    private func takeThread() -> SystemThread? {
        state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
    }
}

extension TransferLoop.State {
    /// Returns the worker if it has to be woken for the new entry in the inbox.
    fileprivate mutating func wakesWorker() -> LoopWorker? {
        guard isSleeping else { return nil }
        isSleeping = false
        return worker
    }

    fileprivate mutating func stop() -> LoopWorker? {
        if stage == .fresh { stage = .ended }
        guard stage == .running else { return nil }
        stage = .stopping
        inbox.isStopping = true
        // A slot retains the worker, so idle slots are released.
        idleSlots = []
        return wakesWorker()
    }
}

// MARK: The loop thread's side

extension TransferLoop {
    /// Exchanges the inbox for an empty one, whose storage is reused.
    func takeInbox(_ inbox: inout Inbox) {
        state.withLock { state in
            state.isSleeping = false
            swap(&inbox, &state.inbox)
        }
    }

    /// Returns whether the loop may sleep. From then on, each new entry wakes it.
    func prepareSleep() -> Bool {
        state.withLock { state in
            state.isSleeping = state.inbox.isEmpty
            return state.isSleeping
        }
    }

    /// Called as the last action of the thread.
    func didEnd() {
        let askers = state.withLock { state in
            let askers = state.inbox.askers
            state.stage = .ended
            state.worker = nil
            state.inbox = Inbox()
            return askers
        }
        for asker in askers { asker.resume(returning: CurlTransport.Statistics()) }
        ended.settle()
    }
}
