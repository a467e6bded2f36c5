import HeliumConcurrency
import HeliumCore
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import HeliumWebSocket

@Suite("Monitor of connections", .timeLimit(.minutes(5)))
struct LinkMonitorTests {
    private func link(on clock: TestClock) -> MessageLink {
        let link = MessageLink(
            limits: LinkState.Limits(WebSocketOptions().limits),
            clock: clock,
            failures: FailureMaker(url: "ws://a.test/", secrets: [])
        )
        link.attach(.init(flush: {}, resume: {}, cut: {}))
        return link
    }

    private func silence(_ seconds: Int) -> Keepalive { Keepalive(silenceLimit: .seconds(seconds)) }

    @Test("many connections are monitored by one task, and each ends at its own limit")
    func many() async throws {
        let clock = TestClock()
        let monitor = LinkMonitor(clock: clock)
        let links = (0..<100).map { _ in link(on: clock) }
        for (index, link) in links.enumerated() { #expect(monitor.watch(link, silence(1 + index % 10)) != nil) }
        for second in 1...10 {
            try await eventually { clock.nextWakeTime == .seconds(second) }
            #expect(clock.sleeperCount == 1 && monitor.count == 100 - 10 * (second - 1))
            clock.advance(by: .seconds(1))
            try await eventually { monitor.count == 100 - 10 * second }
            for (index, link) in links.enumerated() { #expect((link.closure != nil) == (index % 10 < second)) }
        }
        try await eventually { clock.sleeperCount == 0 }
    }

    @Test("a connection with an earlier limit than the others is ended in time")
    func earlier() async throws {
        let clock = TestClock()
        let monitor = LinkMonitor(clock: clock)
        let (late, early) = (link(on: clock), link(on: clock))
        _ = monitor.watch(late, silence(60))
        try await eventually { clock.nextWakeTime == .seconds(60) }
        _ = monitor.watch(early, silence(10))
        try await eventually { clock.nextWakeTime == .seconds(10) && clock.sleeperCount == 1 }
        clock.advance(by: .seconds(10))
        try await eventually { early.closure != nil }
        #expect(late.closure == nil)
        try await eventually { clock.nextWakeTime == .seconds(60) }
        clock.advance(by: .seconds(50))
        try await eventually { late.closure != nil }
    }

    @Test("nothing sleeps after the last connection has ended, and the checks of ended ones are removed")
    func ends() async throws {
        let clock = TestClock()
        let monitor = LinkMonitor(clock: clock)
        let last = link(on: clock)
        let watch = monitor.watch(last, silence(60))
        for _ in 0..<1000 { monitor.watch(link(on: clock), silence(90))?.end() }
        #expect(monitor.count == 1 && monitor.checkCount < 32)
        try await eventually { clock.sleeperCount == 1 }
        watch?.end()
        watch?.end()
        #expect(monitor.count == 0 && monitor.checkCount == 0)
        try await eventually { clock.sleeperCount == 0 }
        // A monitor whose task has ended starts another one.
        _ = monitor.watch(last, silence(60))
        try await eventually { clock.nextWakeTime == .seconds(60) }
        clock.advance(by: .seconds(60))
        try await eventually { last.closure != nil }
    }

    @Test("a connection without limits is not monitored, and one that nothing else refers to is released when it ends")
    func released() async throws {
        let clock = TestClock()
        let monitor = LinkMonitor(clock: clock)
        #expect(monitor.watch(link(on: clock), Keepalive()) == nil)
        #expect(monitor.count == 0)
        var released: MessageLink? = link(on: clock)
        weak let gone = released
        if let released { _ = monitor.watch(released, silence(60)) }
        try await eventually { clock.nextWakeTime == .seconds(60) }
        released = nil
        clock.advance(by: .seconds(60))
        try await eventually { monitor.count == 0 && clock.sleeperCount == 0 && gone == nil }
    }

    @Test("the end of a connection ends its monitoring, also if it ended before")
    func linkEnds() async throws {
        let clock = TestClock()
        let link = link(on: clock)
        link.keepAlive(silence(60))
        try await eventually { clock.sleeperCount == 1 }
        link.end(.abnormal, failure: nil)
        try await eventually { clock.sleeperCount == 0 }
        link.keepAlive(silence(60))
        try await eventually { clock.sleeperCount == 0 }
    }

    @Test("the task, which serves all connections, has no task-local values of the one that started it")
    func taskLocals() async throws {
        let clock = ObservingClock()
        let monitor = LinkMonitor(clock: clock)
        let (first, second) = (link(on: clock.clock), link(on: clock.clock))
        _ = Caller.$name.withValue("first") { monitor.watch(first, silence(60)) }
        try await eventually { clock.clock.nextWakeTime == .seconds(60) }
        _ = Caller.$name.withValue("second") { monitor.watch(second, silence(30)) }
        try await eventually { clock.clock.nextWakeTime == .seconds(30) }
        #expect(clock.callers == [nil, nil])
        clock.clock.advance(by: .seconds(60))
        try await eventually { monitor.count == 0 && clock.clock.sleeperCount == 0 }
    }

    @Test("checks are taken in the order of their times", .tags(.random), arguments: 0..<8 as Range<UInt64>)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = CheckQueue()
        var expected: [Duration] = []
        for id in 0..<500 as Range<UInt64> {
            if random.oneIn(3), let least = expected.min() {
                #expect(queue.first?.due == least)
                queue.removeFirst()
                expected.remove(at: expected.firstIndex(of: least) ?? 0)
            } else {
                let due = Duration.seconds(random.below(50))
                queue.insert(LinkMonitor.Check(due: due, id: id, link: WatchedLink(nil), keepalive: Keepalive()))
                expected.append(due)
            }
            if random.oneIn(100) {
                queue.keep { $0.due < .seconds(40) }
                expected.removeAll { $0 >= .seconds(40) }
            }
            #expect(queue.count == expected.count)
        }
        for due in expected.sorted() {
            #expect(queue.first?.due == due)
            queue.removeFirst()
        }
        #expect(queue.first == nil)
    }
}

private enum Caller {
    @TaskLocal static var name: String?
}

/// A clock that records in which tasks it is slept on.
private final class ObservingClock: HeliumClock {
    let clock = TestClock()
    private let names = Guarded<[String?]>([])

    /// The value of ``Caller/name`` in each sleep.
    var callers: [String?] { names.withLock(\.self) }
    var wallTime: Duration { clock.wallTime }
    var uptime: Duration { clock.uptime }

    func sleep(for duration: Duration) async throws {
        names.withLock { $0.append(Caller.name) }
        try await clock.sleep(for: duration)
    }
}
