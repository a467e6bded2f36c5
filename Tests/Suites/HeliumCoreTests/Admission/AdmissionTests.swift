import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import HeliumCore

@Suite("Queue of waiting calls")
struct WaitingLineTests {
    @Test("a queue returns its elements in order, without those that left")
    func order() {
        var line = WaitingLine<Int>()
        let tickets = (0..<1000).map { line.append($0) }
        for number in stride(from: 0, to: 1000, by: 3) { #expect(line.remove(tickets[number]) == number) }
        #expect(line.remove(tickets[0]) == nil && line.count == 666)
        var taken: [Int] = []
        for _ in 0..<300 { if let next = line.popFirst() { taken.append(next) } }
        #expect(line.remove(tickets[1]) == nil)
        let late = line.append(1000)
        while let next = line.popFirst() { taken.append(next) }
        #expect(taken == (0...1000).filter { $0 % 3 != 0 } && line.isEmpty && line.remove(late) == nil)
        _ = line.append(1)
        #expect(line.removeAll() == [1] && line.popFirst() == nil && line.count == 0)
    }

    @Test("a queue keeps no memory of elements that left")
    func memory() {
        var line = WaitingLine<Int>()
        let first = line.append(-1)
        for number in 0..<100_000 {
            let ticket = line.append(number)
            #expect(line.remove(ticket) == number)
        }
        #expect(line.placeCount < 200 && line.count == 1 && line.remove(first) == -1)
    }
}

@Suite("Admission of calls", .timeLimit(.minutes(5)))
struct AdmissionConcurrencyTests {
    @Test("no more calls run than the limit allows, and all get their turn")
    func limit() async throws {
        let now = Guarded((inside: 0, most: 0))
        let transport = MockTransport { _ in
            now.withLock { now in
                now.inside += 1
                now.most = max(now.most, now.inside)
            }
            for _ in 0..<3 { await Task.yield() }
            now.withLock { $0.inside -= 1 }
            return .empty()
        }
        let pipeline = try makePipeline(transport, clock: SystemClock()) {
            $0.concurrency = ConcurrencyLimits(maximumConcurrent: 4, maximumQueued: 2_000)
            $0.timeouts.queue = nil
            $0.timeouts.total = nil
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2_000 { group.addTask { try await pipeline.call(.get, "/").value() } }
            try await group.waitForAll()
        }
        #expect(transport.requests.count == 2_000 && now.withLock { $0.most } <= 4)
        #expect(pipeline.load == (0, 0))
    }

    @Test("a call beyond the queue's limit is refused at once, and cancelled and late ones leave the queue")
    func refusals() async throws {
        let clock = TestClock()
        let gate = AsyncStream<Void>.makeStream()
        let transport = MockTransport { _ in
            for await _ in gate.stream { break }
            return .empty()
        }
        let pipeline = try makePipeline(transport, clock: clock) {
            $0.concurrency = ConcurrencyLimits(maximumConcurrent: 1, maximumQueued: 2)
        }
        let first = Task { try await pipeline.call(.get, "/first").value() }
        try await eventually { !transport.requests.isEmpty }
        let late = Task { try await failure(of: { try await pipeline.call(.get, "/late").value() }) }
        try await eventually { pipeline.load.waiting >= 1 }
        let cancelled = Task { try await pipeline.call(.get, "/cancelled").value() }
        try await eventually { pipeline.load.waiting >= 2 }

        let full = try await failure(of: { try await pipeline.call(.get, "/full").value() })
        #expect(full.kind == .ceilingExceeded && full.ceiling == .queuedRequests && full.delivery == .notSent)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        try await eventually { clock.nextDeadline == .seconds(15) }
        clock.advance(by: .seconds(15))
        let timedOut = try await late.value
        #expect(timedOut.kind == .timedOut && timedOut.phase == .queue && timedOut.delivery == .notSent)
        gate.continuation.yield()
        try await first.value
        #expect(transport.requests.count == 1 && pipeline.load == (0, 0))
    }

    @Test("the wait in the queue counts against the time limit of the call")
    func countedWait() async throws {
        let clock = TestClock()
        let gate = MockTransport.Gate()
        let transport = MockTransport { [gate] _ throws(TransportFailure) in
            try await gate.pass()
            return .empty()
        }
        let pipeline = try makePipeline(transport, clock: clock) {
            $0.concurrency = ConcurrencyLimits(maximumConcurrent: 1)
        }
        let first = Task { try await pipeline.call(.get, "/first").value() }
        await gate.waitForArrivals()
        let second = Task { try await pipeline.call(.get, "/second").timeout(.seconds(10)).value() }
        try await eventually { pipeline.load.waiting == 1 }
        clock.advance(by: .seconds(9))
        gate.openPermanently()
        try await first.value
        try await second.value
        // A transport that enforces the limit itself gets what is left of it.
        #expect(transport.requests.map(\.timeouts.total) == [.seconds(60), .seconds(1)])
    }

    @Test("a call without time left does not wait")
    func noTime() async {
        let gate = AdmissionGate(ConcurrencyLimits(maximumConcurrent: 1, maximumQueued: 10))
        #expect(gate.enterAtOnce() == .inside)
        for _ in 0..<20_000 {
            guard await gate.enter(timer: {}) == .timedOut else {
                Issue.record("it waited, or came in")
                return
            }
        }
        #expect(gate.waiting == 0)
    }

    @Test("closing refuses waiting and new calls, and finishes when the last call ended")
    func draining() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let transport = MockTransport { _ in
            for await _ in gate.stream { break }
            return .empty()
        }
        let pipeline = try makePipeline(transport, clock: SystemClock()) {
            $0.concurrency = ConcurrencyLimits(maximumConcurrent: 1, maximumQueued: 2)
        }
        let first = Task { try await pipeline.call(.get, "/first").value() }
        try await eventually { !transport.requests.isEmpty }
        let waiting = Task { try await failure(of: { try await pipeline.call(.get, "/waiting").value() }) }
        try await eventually { pipeline.load.waiting >= 1 }
        pipeline.stopAdmitting()
        #expect(try await waiting.value.kind == .clientClosed)
        #expect(try await failure(of: { try await pipeline.call(.get, "/new").value() }).kind == .clientClosed)
        #expect(await pipeline.drained(within: .milliseconds(10)) == false)
        async let isDrained = pipeline.drained(within: .seconds(60))
        gate.continuation.yield()
        #expect(await isDrained)
        try await first.value
    }

    @Test("a streamed response counts as a running call until it is read, cancelled or released")
    func streams() async throws {
        let transport = MockTransport { _ in
            TransportResponse(head: ResponseHead(status: 200, fields: [:]), body: .stream(BodyStream(.init("ab".utf8))))
        }
        let pipeline = try makePipeline(transport)
        let read = try await pipeline.call(.get, "/").stream()
        var dropped: HeliumStream? = try await pipeline.call(.get, "/").stream()
        let cancelled = try await pipeline.call(.get, "/").stream()
        #expect(pipeline.load.running == 3 && dropped != nil)
        for try await _ in read.body {}
        #expect(pipeline.load.running == 2)
        cancelled.body.cancel()
        #expect(pipeline.load.running == 1)
        dropped = nil
        #expect(pipeline.load.running == 0)
    }
}
