import HeliumCore
import HeliumWire
import TestSupport

@testable import HeliumCurl

/// The clock, the servers and the callers around the loop of one transport.
///
/// The loop runs on this thread. While it waits for its sockets, everything else happens: bytes arrive, connections are
/// made, callers begin and cancel calls, and time passes. No order is fixed but that of the agenda.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class WireWorld: @unchecked Sendable {
    let simulation: Simulation
    let dice: WireDice
    private(set) var now: UInt64 = 0
    private var agenda = WireAgenda()
    private var jobDice: SeededRandom
    private(set) var faults: [String] = []

    var hosts: [WireHost] = []
    private(set) var lines: [WireLine] = []
    private var readyLines: [WireLine] = []
    private var isWoken = false
    /// The attempts to connect that have ended.
    private var ended: [(line: WireLine, failure: TransportFailure?)] = []
    var calls: [WireCall] = []
    private(set) var attempts: [WireAttempt] = []
    /// The time until which the process was suspended last, so that nothing before it could be in time.
    private(set) var resumption: UInt64 = 0
    var configuration = CurlTransport.Configuration()
    /// Whether the servers behave and the limits are long, so that each call must succeed.
    var isCalm = false
    /// Whether the transport is to be shut down while calls are open, and whether it was.
    var mayEndEarly = false
    var hasEarlyEnd = false
    /// The largest number of calls that were open at once.
    private(set) var peakCalls = 0

    var transport: CurlTransport?
    private(set) var worker: LoopWorker?
    /// Whether the transport was told to shut down.
    private(set) var isShuttingDown = false
    private var hasShutDown = false
    private let slots = WireSlots()
    private var turns = 0
    /// The number of waits after which the loop counts as endless.
    private static let turnLimit = 500_000

    init(_ simulation: Simulation) {
        self.simulation = simulation
        dice = WireDice(seed: simulation.seed)
        jobDice = SeededRandom(seed: simulation.seed ^ 0x6A6F_6273)
    }

    func expect(_ condition: Bool, _ fault: @autoclosure () -> String) {
        guard !condition else { return }
        let fault = fault()
        note("FAULT \(fault)")
        faults.append(fault)
    }

    func note(_ text: @autoclosure () -> String) { simulation.trace.event("\(now / 1000) \(text())") }
    func count(_ kind: String) { simulation.trace.count(kind) }

    func after(_ delay: UInt64, _ action: @escaping () -> Void) { agenda.add(at: now + delay, action) }

    func noteCalls() { peakCalls = max(peakCalls, calls.count(where: \.isOpen)) }

    /// Suspends the calling task.
    func pause(_ delay: UInt64) async {
        await withCheckedContinuation { continuation in after(delay) { continuation.resume() } }
    }
}

// MARK: The run

extension WireWorld {
    /// Runs the loop until it has ended, and everything after it.
    func run(times: ConnectionTimes) throws {
        let driver = WireDriver(self)
        try makeTransport(times, driver)
        // The first calls may come long after the transport was created, and before the loop's first turn.
        if dice.oneIn(3), !calls.isEmpty {
            now += WireTime.milliseconds(dice.below(100_000))
            if let call = calls.first(where: { !$0.isOpen && $0.ends == 0 }) { call.start() }
            runJobs()
        }
        worker?.run()
        expect(driver.closes == 1, "the driver was closed \(driver.closes) times")
        runJobs()
        finishAgenda()
        checkEnd()
        self.transport = nil
        checkReleased()
    }

    private func makeTransport(_ times: ConnectionTimes, _ driver: WireDriver) throws {
        let transport = CurlTransport(configuration, times: times, driver: driver)
        let slot = try transport.loop.acquire()
        worker = slot.worker
        transport.loop.release(slot)
        self.transport = transport
    }

    /// Lets the rest happen when the loop has ended: bytes on their way to servers, and callers that read.
    private func finishAgenda() {
        var steps = 0
        while let time = agenda.nextTime, steps < 100_000 {
            now = max(now, time)
            agenda.take()()
            runJobs()
            steps += 1
        }
        expect(agenda.nextTime == nil, "the agenda never ends")
        expect(hasShutDown, "shutdown() does not return")
    }

    private func checkReleased() {
        weak let worker = self.worker
        self.worker = nil
        runJobs()
        expect(worker == nil, "the worker is retained")
        expect(slots.liveCount == 0, "\(slots.liveCount) slots are retained")
        expect(lines.allSatisfy { $0.channel == nil }, "a channel is retained")
    }

    func shutDown() {
        guard !isShuttingDown, let transport else { return }
        isShuttingDown = true
        note("shutdown")
        Task {
            await transport.shutdown()
            self.hasShutDown = true
        }
    }

    /// Runs the jobs of callers, as other threads do.
    private func runJobs() {
        var isIdle = false
        do {
            try JobScheduler.shared.run(&jobDice, maximum: 1_000_000, until: { isIdle }, idle: { isIdle = true })
        } catch {
            expect(false, "\(error)")
        }
    }
}

// MARK: The driver's side

extension WireWorld {
    private var isReady: Bool { !readyLines.isEmpty || !ended.isEmpty }

    func wake() { isWoken = true }

    /// Passes the events of the sockets to their channels.
    func perform() {
        let lines = readyLines
        readyLines = []
        for line in lines {
            let edges = line.takeEdges()
            guard edges.read || edges.write || edges.end, let channel = line.channel, channel.isOpen else { continue }
            channel.isReady(toRead: edges.read || edges.end, toWrite: edges.write, isEnding: edges.end)
        }
        // Things happen that the last wait has not reported.
        if dice.oneIn(12), !lines.isEmpty { dice.pick(lines).disturb() }
        worker?.loop.queue.end()
        poll()
        worker?.loop.queue.begin()
    }

    /// Waits as the loop does. Returns whether there is something to perform.
    func wait(until deadline: UInt64) -> Bool {
        turns += 1
        guard turns < Self.turnLimit else {
            expect(turns > Self.turnLimit, "the loop has always something to do")
            transport?.loop.abandon()
            return false
        }
        // Callers are on other threads.
        worker?.loop.queue.end()
        defer { worker?.loop.queue.begin() }
        guard deadline > now else {
            poll()
            return takeWake()
        }
        checkRest()
        while true {
            runJobs()
            if isWoken || isReady { return takeWake() }
            guard let time = agenda.nextTime, time <= deadline else {
                guard deadline == .max else {
                    now = max(now, deadline)
                    return false
                }
                nothingIsLeft()
                continue
            }
            now = max(now, time)
            agenda.take()()
            // Several things happen before the loop wakes up.
            while dice.oneIn(3), let time = agenda.nextTime, time <= now { agenda.take()() }
        }
    }

    /// A look at the sockets takes little time, in which something may happen.
    private func poll() {
        guard dice.oneIn(3) else { return }
        now += UInt64(dice.below(40_000))
        for _ in 0..<1 + dice.below(3) {
            guard let time = agenda.nextTime, time <= now else { break }
            agenda.take()()
        }
        runJobs()
    }

    private func takeWake() -> Bool {
        defer { isWoken = false }
        return isWoken || isReady
    }

    /// Called when the loop waits for ever and nothing is going to happen.
    private func nothingIsLeft() {
        guard !isShuttingDown else {
            expect(false, "the loop does not end")
            transport?.loop.abandon()
            // A loop that was not woken, although it should have been, is not woken again.
            isWoken = true
            return
        }
        for call in calls where call.isOpen {
            expect(false, "call \(call.number) waits for ever")
        }
        if calls.allSatisfy({ !$0.isOpen }) { checkQuiet() }
        shutDown()
    }

    /// Stops the process for a while.
    func suspend(_ duration: UInt64) {
        count("suspension")
        note("suspended for \(duration / WireTime.second) s")
        now += duration
        resumption = now
    }

    func connect(_ channel: ByteChannel) -> WireLine? {
        guard let host = hosts.first(where: { $0.name == channel.target.host }) else {
            expect(false, "a connection to \(channel.target.host)")
            return nil
        }
        let line = WireLine(channel, number: lines.count, host: host, world: self)
        lines.append(line)
        checkCeilings()
        note("connects \(line.number) to \(host.name)\(line.offersHTTP2 ? ", offers HTTP/2" : "")")
        if host.malice > 0, dice.oneIn(30) {
            count("connects for ever")
            return line
        }
        after(dice.delay()) { self.didConnect(line) }
        return line
    }

    private func didConnect(_ line: WireLine) {
        guard !line.isClosed else { return }
        if line.host.isDown || (line.host.malice > 0 && dice.oneIn(15)) {
            count("connection failed")
            ended.append(
                (line, TransportFailure(.connectionFailed, delivery: .notSent, message: "the connection was refused"))
            )
        } else {
            line.open()
            ended.append((line, nil))
        }
    }

    func collect() {
        let results = ended
        ended = []
        for (line, failure) in results where !line.isClosed {
            guard let channel = line.channel else { continue }
            if let failure { channel.fail(failure) } else { channel.connected() }
        }
    }

    func lineIsReady(_ line: WireLine) { if !readyLines.contains(where: { $0 === line }) { readyLines.append(line) } }

    func lineClosed(_ line: WireLine) { readyLines.removeAll { $0 === line } }
}

// MARK: Facts

extension WireWorld {
    func begin(_ attempt: WireAttempt) { attempts.append(attempt) }

    /// Returns the number of the call that the loop sends on an HTTP/1.1 connection.
    func callBeingSent(on line: WireLine) -> Int? {
        guard let channel = line.channel, let worker else { return nil }
        for slot in worker.active where slot.connection?.channel === channel {
            return WireCall.number(ofTarget: slot.request.target)
        }
        return nil
    }

    /// Counts a refusal for the call that the loop has sent on a stream.
    func noteRefusal(ofStream id: Int32, on line: WireLine) {
        guard let channel = line.channel, let worker else { return }
        for slot in worker.active where slot.connection?.channel === channel && slot.streamID == id {
            if let number = WireCall.number(ofTarget: slot.request.target) { calls[number].refusals += 1 }
        }
    }

    /// Whether the loop sends frames on an HTTP/2 connection at the end of its turn.
    func hasUnsentFrames(on line: WireLine) -> Bool {
        guard let channel = line.channel, let worker else { return false }
        return worker.unflushed.contains { $0.channel === channel }
    }

    /// The connections of a host that have not ended.
    func lines(of host: WireHost) -> [WireLine] { lines.filter { $0.host === host && !$0.isClosed } }

    func noteSlots() {
        guard let worker else { return }
        for slot in worker.active { slots.note(slot) }
    }

    var slotCount: Int { slots.count }
}

/// The slots that were in use.
private final class WireSlots {
    private final class Reference { weak var slot: TransferSlot? }

    private var references: [ObjectIdentifier: Reference] = [:]

    func note(_ slot: TransferSlot) {
        let id = ObjectIdentifier(slot)
        if references[id]?.slot === slot { return }
        let reference = Reference()
        reference.slot = slot
        references[id] = reference
    }

    var count: Int { references.count }
    var liveCount: Int { references.values.count { $0.slot != nil } }
}
