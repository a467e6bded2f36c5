import CLibcurl
import HeliumCore
import HeliumWire
import Synchronization

/// The loop thread, which owns the multi handle and every active transfer.
///
/// `@unchecked Sendable`: the caller that starts the thread creates it. Then it is used on that thread only, except for
/// the constants. Of these, ``driver`` can be woken from any thread.
final class LoopWorker: @unchecked Sendable {
    let driver: any LoopDriver
    let turn: LoopTurn
    let configuration: CurlTransport.Configuration
    let loop: TransferLoop
    private let multi: UnsafeMutableRawPointer
    private var active: [TransferSlot] = []
    /// The transfers that ended in this turn and whose waiters are not notified yet. The array is kept for its storage.
    private var ended: [TransferSlot] = []
    private var priorKnowledge: PriorKnowledgeTracker<Origin, TransferSlot>
    /// The cache of the connections that prior-knowledge requests open in clear text. It is created with the first of
    /// them. It is separate so that none of these requests uses a connection that speaks HTTP/1.1, and no other request
    /// uses one of their connections.
    private var priorKnowledgeCache: UnsafeMutableRawPointer?
    private var inbox = TransferLoop.Inbox()
    /// The channels and what makes their connections. Created with the first channel.
    var channels: (host: ChannelHost, connector: ChannelConnector)?
    /// The jobs of this turn. The array is kept for its storage.
    var due: [UnownedJob] = []
    /// The channels whose signals are due. The array is kept for its storage.
    var signalled: [ByteChannel] = []
    /// The number of turns since the sockets were last polled.
    private var roundCount = 0
    /// The maximum number of consecutive turns spent on jobs and their requests without polling the sockets, and of times
    /// that sockets are handled before waiters are notified.
    private static let roundLimit = 8
    /// The reserve of the thread's heap: libcurl's read buffer and 8 KiB for each of 64 transfers.
    private static let reservedBytes = 64 * (TransferSlot.collectedReadBytes + 8 << 10)

    /// The sockets of the open connections, and their origins.
    private var sockets: [curl_socket_t: Origin] = [:]
    /// The number of connections opened so far.
    private var openCount = 0
    /// The number of requests so far that were sent on an existing connection.
    var reuseCount = 0

    init(loop: TransferLoop) throws(TransportFailure) {
        let failure = TransportFailure(
            .transportFailed,
            delivery: .notSent,
            message: "the transport's event loop can't be created: not enough memory or file descriptors"
        )
        guard Library.isReady, let multi = curl_multi_init() else { throw failure }
        guard let driver = LoopWorker.makeDriver(multi, loop.configuration.driver) else {
            curl_multi_cleanup(multi)
            throw failure
        }
        self.loop = loop
        self.multi = multi
        self.driver = driver
        turn = loop.turn
        configuration = loop.configuration
        priorKnowledge = PriorKnowledgeTracker(connectionLimit: configuration.maximumConnectionsPerHost)
        _ = helium_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        _ = helium_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, configuration.maximumIdleConnections))
        _ = helium_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, max(1, configuration.maximumConnectionsPerHost))
        _ = helium_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, max(1, configuration.maximumConnections))
    }

    private static func makeDriver(
        _ multi: UnsafeMutableRawPointer,
        _ choice: CurlTransport.Configuration.Driver
    ) -> (any LoopDriver)? {
        #if os(Linux)
            if choice == .automatic { return EpollDriver(multi: multi) }
        #endif
        return PollDriver(multi: multi)
    }

    /// Releases all resources.
    func dispose() {
        // Closing the connections still calls the driver.
        if let priorKnowledgeCache { curl_share_cleanup(priorKnowledgeCache) }
        priorKnowledgeCache = nil
        channels?.connector.dispose()
        curl_multi_cleanup(multi)
        driver.close()
    }
}

extension LoopWorker {
    /// Runs the loop until it is stopped. This is the body of the thread.
    func run() {
        loop.queue.begin()
        // The variable is used at the end of the thread, which is when the reserve is released.
        let reserve = HeapReserve(bytes: LoopWorker.reservedBytes)
        while takeInbox() {
            performReady()
            if turn.now >= turn.earliest { expire() }
            if priorKnowledgeCache != nil { startWaiting() }
            endTurn(isIdle: false)
            if !loop.queue.jobs.isEmpty { runJobs() }
            if !loop.queue.signalled.isEmpty || channels?.host.hasWork == true { turnChannels() }
            sleep()
            turn.now = LoopTurn.read()
            turn.turns.add(1, ordering: .relaxed)
        }
        while let slot = active.last {
            slot.abort = .clientClosed
            finish(slot, CURLE_ABORTED_BY_CALLBACK)
        }
        turn.touched = []
        channels?.host.endAll(TransferLoop.closed)
        dispose()
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
            _ = driver.wait(until: maySleep ? turn.earliest : 0)
            return
        }
        // Consumers wait for the few bytes that are buffered. They get them now unless more can be read at once.
        if driver.wait(until: 0) { return }
        endTurn(isIdle: true)
        // The short wait may have consumed a wake-up, and consumers on the loop have work now.
        if loop.queue.isEmpty, loop.prepareSleep() { _ = driver.wait(until: turn.earliest) }
    }

    /// Handles the requests of callers. Returns `false` if the loop has to end.
    private func takeInbox() -> Bool {
        loop.takeInbox(&inbox)
        if !loop.queue.submitted.isEmpty {
            inbox.submitted += loop.queue.submitted
            loop.queue.submitted.removeAll(keepingCapacity: true)
        }
        for slot in inbox.submitted { slot.activeGeneration = slot.generation }
        // A request that is cancelled in the same turn is never added.
        for (slot, generation) in inbox.cancelled where slot.activeGeneration == generation {
            if slot.abort == nil { slot.abort = .cancelled }
            if slot.isActive { finish(slot, CURLE_ABORTED_BY_CALLBACK) }
        }
        for slot in inbox.submitted { inbox.isStopping ? refuse(slot, .clientClosed) : add(slot) }
        for channel in inbox.opened { open(channel, isStopping: inbox.isStopping) }
        for channel in inbox.signalled { channel.takeSignals() }
        for (slot, generation) in inbox.resumed where slot.activeGeneration == generation {
            slot.enter(slot.limits.stage)
            // May call back with bytes that libcurl has buffered. If that ends the transfer, only this call reports it.
            let code = curl_easy_pause(slot.easy, CURLPAUSE_CONT)
            if code != CURLE_OK { finish(slot, code) }
        }
        for asker in inbox.askers { asker.resume(returning: statistics) }
        if !inbox.jobs.isEmpty {
            loop.queue.jobs += inbox.jobs
            inbox.jobs.removeAll(keepingCapacity: true)
        }
        let isRunning = !inbox.isStopping
        inbox.submitted.removeAll(keepingCapacity: true)
        inbox.cancelled.removeAll(keepingCapacity: true)
        inbox.resumed.removeAll(keepingCapacity: true)
        if !inbox.opened.isEmpty { inbox.opened = [] }
        inbox.signalled.removeAll(keepingCapacity: true)
        if !inbox.askers.isEmpty { inbox.askers = [] }
        inbox.isStopping = false
        return isRunning
    }

    private func add(_ slot: TransferSlot) {
        guard slot.abort == nil else { return refuse(slot, .cancelled) }
        slot.limits.start(now: turn.now)
        slot.activeIndex = active.count
        slot.isActive = true
        active.append(slot)
        turn.earliest = min(turn.earliest, slot.limits.deadline)
        if slot.isPriorKnowledge, let origin = slot.origin {
            admit(slot, priorKnowledge.arrived(slot, at: origin))
        } else {
            start(slot)
        }
    }

    private func start(_ slot: TransferSlot) {
        let code = curl_multi_add_handle(multi, slot.easy)
        if code != CURLM_OK { finish(slot, CURLE_FAILED_INIT) }
    }

    private func refuse(_ slot: TransferSlot, _ abort: TransferAbort) {
        if slot.abort == nil { slot.abort = abort }
        slot.activeGeneration = 0
        loop.deliver(slot)
    }

    /// Handles the sockets that are ready, and notifies the waiters of the transfers that ended.
    ///
    /// While transfers end and more sockets are ready, these are handled first. To resume a waiter wakes a thread up, which
    /// costs several microseconds. A thread that finds many waiters wakes up once for all of them.
    private func performReady() {
        driver.perform(now: turn.now)
        channels?.connector.collect()
        collectEnded()
        var rounds = 1
        while !ended.isEmpty, !active.isEmpty, rounds < LoopWorker.roundLimit, driver.wait(until: 0) {
            turn.now = LoopTurn.read()
            driver.perform(now: turn.now)
            channels?.connector.collect()
            collectEnded()
            rounds += 1
        }
        for slot in ended { loop.deliver(slot) }
        ended.removeAll(keepingCapacity: true)
    }

    private func collectEnded() {
        var code = CURLE_OK
        while let easy = helium_multi_next_ended(multi, &code) {
            var context: UnsafeMutableRawPointer?
            helium_easy_get_pointer(easy, CURLINFO_PRIVATE, &context)
            guard let context else { continue }
            let slot = Unmanaged<TransferSlot>.fromOpaque(context).takeUnretainedValue()
            if remove(slot, code) { ended.append(slot) }
        }
    }

    /// Removes the transfer from libcurl and notifies its waiter.
    private func finish(_ slot: TransferSlot, _ code: CURLcode) {
        if remove(slot, code) { loop.deliver(slot) }
    }

    /// Removes the transfer from libcurl. Returns `false` if it starts again.
    private func remove(_ slot: TransferSlot, _ code: CURLcode) -> Bool {
        curl_multi_remove_handle(multi, slot.easy)
        if slot.isPriorKnowledge, startsAgain(slot) { return false }
        slot.code = code
        if code == CURLE_OK, slot.abort == nil { slot.abort = slot.incompleteness }
        slot.isActive = false
        slot.activeGeneration = 0
        let last = active.removeLast()
        if last !== slot {
            active[slot.activeIndex] = last
            last.activeIndex = slot.activeIndex
        }
        // Without transfers there is no deadline to wake up for.
        if active.isEmpty { turn.earliest = .max }
        return true
    }

    private func expire() {
        var earliest = UInt64.max
        var index = 0
        while index < active.count {
            let slot = active[index]
            if let phase = slot.limits.expired(at: turn.now) {
                if phase != .total, slot.hasUploaded() {
                    slot.limits.enter(slot.limits.stage, now: turn.now)
                    continue
                }
                slot.abort = .timedOut(phase)
                // Moves the last slot to this index.
                finish(slot, CURLE_OPERATION_TIMEDOUT)
            } else {
                earliest = min(earliest, slot.limits.deadline)
                index += 1
            }
        }
        turn.earliest = earliest
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

// MARK: Statistics

extension LoopWorker {
    /// The current statistics. The use of connections is determined here, so that requests have no extra cost.
    private var statistics: CurlTransport.Statistics {
        var statistics = CurlTransport.Statistics()
        statistics.activeTransfers = active.count
        statistics.openedConnections = openCount
        statistics.reusedConnections = reuseCount
        var connecting: Set<curl_socket_t> = []
        var ports: [Origin: Set<Int32>] = [:]
        for slot in active {
            switch slot.limits.stage {
            case .queue: statistics.waitingTransfers += 1
            case .connect: if let socket = slot.openedSocket { connecting.insert(socket) }
            case .sending, .firstByte, .idle:
                if let origin = slot.origin { ports[origin, default: []].insert(slot.localPort) }
            }
        }
        for (socket, origin) in sockets {
            let isBusy = connecting.contains(socket) || ports[origin]?.contains(helium_local_port(socket)) ?? false
            statistics.count(isBusy: isBusy, at: origin)
        }
        return statistics
    }
}

// MARK: Prior knowledge in clear text

extension LoopWorker {
    /// Called when the opener is about to send.
    func didConnect(_ slot: TransferSlot) {
        guard let origin = slot.origin else { return }
        slot.priorKnowledge = .started(.follower)
        priorKnowledge.opened(at: origin)
    }

    /// Called after a socket was opened for a connection of the slot's.
    func didOpen(_ socket: curl_socket_t, for slot: TransferSlot) {
        driver.didOpen(socket)
        openCount &+= 1
        slot.openedSocket = socket
        if let origin = slot.origin { sockets[socket] = origin }
        if slot.isPriorKnowledge, let origin = slot.origin { priorKnowledge.didOpen(socket, at: origin) }
    }

    /// Called before a socket of ``didOpen(_:for:)`` is closed.
    func willClose(_ socket: curl_socket_t) {
        driver.willClose(socket)
        sockets[socket] = nil
        if priorKnowledgeCache != nil { priorKnowledge.willClose(socket) }
    }

    private func admit(_ slot: TransferSlot, _ admission: PriorKnowledge.Admission) {
        switch admission {
        case .start(let role): start(slot, as: role)
        case .wait(let ticket): slot.priorKnowledge = .waiting(ticket)
        }
    }

    private func start(_ slot: TransferSlot, as role: PriorKnowledge.Role) {
        slot.priorKnowledge = .started(role)
        if priorKnowledgeCache == nil { priorKnowledgeCache = helium_make_connection_cache() }
        guard let priorKnowledgeCache, slot.join(priorKnowledgeCache, as: role) else {
            return finish(slot, CURLE_FAILED_INIT)
        }
        start(slot)
    }

    private func startWaiting() {
        while let (slot, role) = priorKnowledge.next() { start(slot, as: role) }
    }

    /// Removes the slot from the tracking. Returns `true` if it continues instead of ending, because nothing of it was
    /// sent.
    private func startsAgain(_ slot: TransferSlot) -> Bool {
        guard let origin = slot.origin else { return false }
        let state = slot.priorKnowledge
        slot.priorKnowledge = .none
        switch state {
        case .none: return false
        case .waiting(let ticket):
            priorKnowledge.left(ticket, at: origin)
            return false
        case .started(let role):
            slot.leaveCache()
            guard slot.isRefused, slot.abort == nil else {
                priorKnowledge.ended(role, at: origin)
                return false
            }
            slot.isRefused = false
            admit(slot, priorKnowledge.refused(slot, at: origin))
            return true
        }
    }
}
