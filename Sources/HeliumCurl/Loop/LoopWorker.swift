import CLibcurl
import HeliumCore
import HeliumWire
import Synchronization

/// The loop thread, which owns the connections and every active call.
///
/// `@unchecked Sendable`: the caller that starts the thread creates it. Then it is used on that thread only, except for
/// the constants. Of these, ``driver`` can be woken from any thread.
final class LoopWorker: @unchecked Sendable {
    let driver: any LoopDriver
    let turn: LoopTurn
    let configuration: CurlTransport.Configuration
    let times: ConnectionTimes
    let loop: TransferLoop

    // The methods of the arrays, the inbox, the pool and the tables call nothing that refers to the worker, so that two
    // accesses can't overlap, and need no check.

    @exclusivity(unchecked) var active: [TransferSlot] = []
    /// The calls that ended in this turn and whose waiters are not notified yet. The array is kept for its storage.
    @exclusivity(unchecked) var ended: [TransferSlot] = []
    /// Decides about connections. Its calls and connections are in the tables.
    @exclusivity(unchecked) var pool: ConnectionPool<ConnectionGroup>
    @exclusivity(unchecked) var calls = HandleTable<TransferSlot>()
    @exclusivity(unchecked) var connections = HandleTable<HTTPConnection>()

    /// Whether the pool's actions are being performed, so that those that follow from them are performed there too.
    var isPerformingActions = false
    /// Whether the pool's actions have to wait, because a connection is in the middle of its bytes.
    var isHoldingActions = false
    /// The connections that have ended while the pool's actions were performed, and are still in the table.
    var departed: [HTTPConnection] = []
    /// The connections that have frames to send at the end of the turn.
    @exclusivity(unchecked) var unflushed: [HTTPConnection] = []
    /// The calls that wait for the response 100 before they send their body, and the time at which they stop waiting.
    var awaitingContinue: [(slot: TransferSlot, generation: UInt64, deadline: UInt64)] = []
    /// The connections whose peers have to answer a PING, since when, and until when.
    var awaitingPong: [(connection: HTTPConnection, begin: UInt64, deadline: UInt64)] = []
    @exclusivity(unchecked) private var inbox = TransferLoop.Inbox()
    /// The channels and what makes their connections. Created with the first channel.
    var channels: (host: ChannelHost, connector: any LoopConnector)?
    /// The jobs of this turn. The array is kept for its storage.
    @exclusivity(unchecked) var due: [UnownedJob] = []
    /// The channels whose signals are due. The array is kept for its storage.
    @exclusivity(unchecked) var signalled: [ByteChannel] = []
    /// The number of turns since the sockets were last polled.
    private var roundCount = 0
    /// The maximum number of consecutive turns spent on jobs and their requests without polling the sockets, and of times
    /// that sockets are handled before waiters are notified.
    private static let roundLimit = 8
    /// The reserve of the thread's heap: 72 KiB for each of 64 calls.
    private static let reservedBytes = 64 * 72 << 10

    init(loop: TransferLoop) throws(TransportFailure) {
        let failure = TransportFailure(
            .transportFailed,
            delivery: .notSent,
            message: "the transport's event loop can't be created: not enough memory or file descriptors"
        )
        guard Library.isReady, let driver = loop.driver ?? LoopWorker.makeDriver(loop.configuration.driver) else {
            throw failure
        }
        self.loop = loop
        self.driver = driver
        turn = loop.turn
        configuration = loop.configuration
        times = loop.times
        pool = ConnectionPool(ConnectionPool.Configuration(loop.configuration, loop.times))
    }

    private static func makeDriver(_ choice: CurlTransport.Configuration.Driver) -> (any LoopDriver)? {
        #if os(Linux)
            if choice == .automatic { return EpollDriver() }
        #endif
        return PollDriver()
    }

    /// Releases all resources.
    func dispose() {
        // Closing the connections still calls the driver.
        channels?.connector.dispose()
        driver.close()
    }
}

extension LoopWorker {
    /// Runs the loop until it is stopped. This is the body of the thread.
    func run() {
        loop.queue.begin()
        // The transport may have been created long before its first call.
        turn.now = driver.now
        // The variable is used at the end of the thread, which is when the reserve is released.
        let reserve = HeapReserve(bytes: LoopWorker.reservedBytes)
        while true {
            loop.takeInbox(&inbox)
            // Before new calls: what the last wait has found may end a connection that one of them would get.
            perform()
            guard handleInbox() else { break }
            performReady()
            if turn.now >= min(turn.earliest, pool.nextDeadline) { expire() }
            endTurn(isIdle: false)
            if !loop.queue.jobs.isEmpty { runJobs() }
            if !loop.queue.signalled.isEmpty || channels?.host.hasWork == true { turnChannels() }
            flush()
            // The calls that ended since the sockets were handled. Nothing would wake the loop up for them.
            deliverEnded()
            sleep()
            turn.now = driver.now
            turn.turns.add(1, ordering: .relaxed)
        }
        // No call gets the connection of one that ends now.
        isPerformingActions = true
        while let slot = active.last { finish(slot, .clientClosed) }
        deliverEnded()
        turn.touched = []
        channels?.host.endAll(TransferLoop.closed)
        dispose()
        forgetAll()
        giveJobsAway()
        reserve.release()
        loop.didEnd()
    }

    /// Waits until there is something to do.
    private func sleep() {
        // Requests of jobs are handled at once, and so is what is left of channels. After some rounds the sockets are
        // polled too, so that other transfers are not starved. A channel that has work left has used up its budget, beside
        // which polling costs nothing.
        let hasChannelWork = channels?.host.hasWork == true
        if hasChannelWork || !loop.queue.isEmpty {
            roundCount += 1
            guard hasChannelWork || roundCount >= LoopWorker.roundLimit else { return }
            roundCount = 0
            _ = driver.wait(until: 0)
            return
        }
        roundCount = 0
        let maySleep = loop.prepareSleep()
        guard maySleep, !turn.touched.isEmpty else {
            _ = driver.wait(until: maySleep ? min(turn.earliest, pool.nextDeadline) : 0)
            return
        }
        // Consumers wait for the few bytes that are buffered. They get them now unless more can be read at once.
        if driver.wait(until: 0) { return }
        endTurn(isIdle: true)
        // The short wait may have consumed a wake-up, and consumers on the loop have work now.
        if loop.queue.isEmpty, loop.prepareSleep() {
            _ = driver.wait(until: min(turn.earliest, pool.nextDeadline))
        }
    }

    /// Handles the requests of callers. Returns `false` if the loop has to end.
    private func handleInbox() -> Bool {
        if !loop.queue.submitted.isEmpty {
            inbox.submitted += loop.queue.submitted
            loop.queue.submitted.removeAll(keepingCapacity: true)
        }
        for slot in inbox.submitted { slot.activeGeneration = slot.generation }
        // A request that is cancelled in the same turn is never added.
        for (slot, generation) in inbox.cancelled where slot.activeGeneration == generation {
            if slot.isActive {
                finish(slot, .cancelled)
            } else if slot.abort == nil {
                slot.abort = .cancelled
            }
        }
        for slot in inbox.submitted { inbox.isStopping ? refuse(slot, .clientClosed) : add(slot) }
        for channel in inbox.opened { open(channel, isStopping: inbox.isStopping) }
        for channel in inbox.signalled { channel.takeSignals() }
        for (slot, generation) in inbox.resumed where slot.activeGeneration == generation && slot.isActive {
            // The source of the request's body may have more while the consumer of the response wants no more.
            if slot.stream?.isPaused != true {
                slot.limits.resume()
                slot.enter(slot.limits.stage)
                slot.connection?.engine?.continueReading(of: slot)
            }
            if slot.activeGeneration == generation { slot.connection?.engine?.continueBody(of: slot) }
        }
        flush()
        for asker in inbox.askers { asker.resume(returning: statistics) }
        if !inbox.jobs.isEmpty {
            loop.queue.jobs += inbox.jobs
            inbox.jobs.removeAll(keepingCapacity: true)
        }
        let isRunning = !inbox.isStopping
        // To remove nothing costs as much as to remove one.
        if !inbox.submitted.isEmpty { inbox.submitted.removeAll(keepingCapacity: true) }
        if !inbox.cancelled.isEmpty { inbox.cancelled.removeAll(keepingCapacity: true) }
        if !inbox.resumed.isEmpty { inbox.resumed.removeAll(keepingCapacity: true) }
        if !inbox.opened.isEmpty { inbox.opened = [] }
        if !inbox.signalled.isEmpty { inbox.signalled.removeAll(keepingCapacity: true) }
        if !inbox.askers.isEmpty { inbox.askers = [] }
        inbox.isStopping = false
        return isRunning
    }

    private func refuse(_ slot: TransferSlot, _ abort: TransferAbort) {
        if slot.abort == nil { slot.abort = abort }
        slot.activeGeneration = 0
        loop.deliver(slot)
    }

    private func add(_ slot: TransferSlot) {
        guard slot.abort == nil else { return refuse(slot, .cancelled) }
        slot.limits.start(now: turn.now)
        slot.activeIndex = active.count
        slot.isActive = true
        active.append(slot)
        turn.earliest = min(turn.earliest, slot.limits.deadline)
        request(slot)
    }

    private func perform() {
        driver.perform(now: turn.now)
        channels?.connector.collect()
    }

    /// Handles the sockets that are ready, and notifies the waiters of the calls that ended.
    ///
    /// While calls end and more sockets are ready, these are handled first. To resume a waiter wakes a thread up, which
    /// costs several microseconds. A thread that finds many waiters wakes up once for all of them.
    private func performReady() {
        var rounds = 1
        while !ended.isEmpty, !active.isEmpty, rounds < LoopWorker.roundLimit, driver.wait(until: 0) {
            turn.now = driver.now
            perform()
            rounds += 1
        }
        deliverEnded()
    }

    /// Releases the slots and connections. A slot retains the worker.
    private func forgetAll() {
        calls = HandleTable()
        connections = HandleTable()
        departed = []
        unflushed = []
        awaitingContinue = []
        awaitingPong = []
    }

    private func deliverEnded() {
        guard !ended.isEmpty else { return }
        for slot in ended { loop.deliver(slot) }
        ended.removeAll(keepingCapacity: true)
    }

    private func expire() {
        // A call that ends makes others go on, and that may lower it.
        turn.earliest = .max
        var earliest = expireConnections()
        var index = active.count - 1
        // From the end: the slot that takes the place of one that ended was looked at already, or is before it.
        while index >= 0 {
            let slot = active[index]
            if let phase = slot.limits.expired(at: turn.now), !goesOn(slot, phase) {
                finish(slot, .timedOut(phase))
            } else {
                earliest = min(earliest, slot.limits.deadline)
            }
            index = min(index, active.count) - 1
        }
        turn.earliest = min(turn.earliest, earliest)
        deliverEnded()
    }

    /// Returns whether a phase begins again because bytes of the request were sent.
    private func goesOn(_ slot: TransferSlot, _ phase: TransferPhase) -> Bool {
        guard phase != .total, slot.hasUploaded() else { return false }
        slot.limits.enter(slot.limits.stage, now: turn.now)
        return slot.limits.expired(at: turn.now) == nil
    }

    /// Delivers to streams what arrived in this turn: heads at once, body bytes by the rule of
    /// ``StreamSource/wakeMark``.
    private func endTurn(isIdle: Bool) {
        guard !turn.touched.isEmpty else { return }
        var kept = 0
        for index in turn.touched.indices {
            let slot = turn.touched[index]
            guard slot.activeGeneration != 0, let stream = slot.stream else {
                slot.isTouched = false
                continue
            }
            if slot.head.isComplete, !slot.isHeadDelivered {
                slot.isHeadDelivered = true
                slot.limits.endTotal()
                stream.setHead(slot.streamHead)
                slot.takeWaiter()?.resume()
            }
            if stream.wake(isIdle: isIdle, now: turn.now) {
                turn.touched[kept] = slot
                kept += 1
            } else {
                slot.isTouched = false
            }
        }
        turn.touched.removeLast(turn.touched.count - kept)
    }
}
