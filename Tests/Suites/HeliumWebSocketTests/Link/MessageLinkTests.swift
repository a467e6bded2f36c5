import HeliumCore
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import HeliumWebSocket

@Suite("Message queues of a WebSocket", .timeLimit(.minutes(5)))
struct MessageLinkTests {
    private final class Count: Sendable {
        let value = Atomic(0)
    }

    /// A link whose connection only tells when it is asked to write.
    private struct Setup {
        let link: MessageLink
        /// The number of times that the connection was asked to write.
        let flushes: Count
        let resumes: AsyncStream<Void>

        init(
            received: Int = 4,
            receivedBytes: Int = 100,
            queued: Int = 3,
            queuedBytes: Int = 100,
            unwaitedBytes: Int = 0
        ) {
            link = MessageLink(
                limits: .init(
                    receivedMessages: received,
                    receivedBytes: receivedBytes,
                    queuedMessages: queued,
                    queuedBytes: queuedBytes,
                    unwaitedBytes: unwaitedBytes
                ),
                clock: TestClock(),
                failures: FailureMaker(url: "ws://a.test/", secrets: [])
            )
            let flushes = Count()
            let (resumes, resume) = AsyncStream.makeStream(of: Void.self)
            (self.flushes, self.resumes) = (flushes, resumes)
            link.attach(
                .init(flush: { flushes.value.wrappingAdd(1, ordering: .relaxed) }, resume: { resume.yield() }, cut: {})
            )
        }

        /// Queues a message in a task of its own, and returns when it is queued.
        func queue(_ text: String) async throws -> Task<Void, any Error> {
            let count = link.queuedCount
            let task = Task { [link] in try await link.send(.text(text)) }
            try await eventually { link.queuedCount != count }
            return task
        }

        /// Delivers messages together. Returns whether no more may be delivered.
        func deliver(_ texts: [String]) -> Bool {
            var messages = MessageQueue()
            for text in texts { messages.append(.text(text), byteCount: text.utf8.count) }
            return link.deliver(&messages).isEmpty
        }

        func batch(_ maximumBytes: Int = 1000) -> [String] {
            var batch: [Outgoing] = []
            link.takeBatch(&batch, maximumBytes: maximumBytes, overhead: 0)
            return batch.map { if case .message(.text(let text), _) = $0.content { text } else { "(control)" } }
        }
    }

    @Test("a cancelled message that waits in the queue is not sent")
    func cancelledSend() async throws {
        let setup = Setup()
        let first = try await setup.queue("a")
        let second = try await setup.queue("b")
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(setup.batch() == ["b"])
        setup.link.written()
        try await second.value
    }

    @Test("a cancelled sender returns while its message is being written")
    func cancelledInFlight() async throws {
        let setup = Setup()
        let task = try await setup.queue("a")
        #expect(setup.batch() == ["a"])
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        setup.link.written()
    }

    @Test("a cancelled task queues no message")
    func cancelledBefore() async {
        let setup = Setup()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await setup.link.send(.text("a"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(setup.batch() == [])
    }

    @Test("messages are written in batches of limited bytes, or one at a time")
    func batches() async throws {
        let setup = Setup()
        for text in ["aaaa", "b", "c"] { _ = try await setup.queue(text) }
        #expect(setup.batch(3) == ["aaaa"])
        #expect(setup.batch(3) == ["b", "c"])
        #expect(setup.batch(3) == [])
        setup.link.end(.abnormal, failure: nil)
    }

    @Test("the connection is asked once to write all queued messages")
    func flushes() async throws {
        let setup = Setup()
        for text in ["a", "b"] { _ = try await setup.queue(text) }
        // A message is in the queue a moment before the connection is asked.
        try await eventually { setup.flushes.value.load(ordering: .relaxed) == 1 }
        #expect(setup.batch() == ["a", "b"])
        _ = try await setup.queue("c")
        try await eventually { setup.flushes.value.load(ordering: .relaxed) == 2 }
        setup.link.end(.abnormal, failure: nil)
    }

    @Test("the queue of messages is limited in number and bytes", arguments: [(1, 100), (9, 3)])
    func ceiling(queued: Int, queuedBytes: Int) async throws {
        let setup = Setup(queued: queued, queuedBytes: queuedBytes)
        _ = try await setup.queue("aaaa")
        let error = try await failure { try await setup.link.send(.text("b")) }
        #expect(error.kind == .ceilingExceeded && error.ceiling == .queuedMessages && error.delivery == .notSent)
        setup.link.end(.abnormal, failure: nil)
    }

    @Test(
        "reading pauses while the queue of received messages is full, until half is taken",
        arguments: [(4, 100), (100, 4)]
    )
    func holdsBack(received: Int, receivedBytes: Int) async throws {
        let setup = Setup(received: received, receivedBytes: receivedBytes)
        let held = (1...4).map { setup.deliver(["\($0)"]) }
        #expect(held == [false, false, false, true])
        #expect(setup.link.liveness.isHeldBack)
        #expect(try await setup.link.receive()?.text == "1")
        #expect(setup.link.liveness.isHeldBack)
        #expect(try await setup.link.receive()?.text == "2")
        for await _ in setup.resumes { break }
        #expect(!setup.link.liveness.isHeldBack)
    }

    @Test("messages that are delivered together go to the waiting readers and the inbox in order")
    func deliveredTogether() async throws {
        let setup = Setup(received: 100, receivedBytes: 1_000)
        var readers: [Task<WebSocketMessage?, any Error>] = []
        for number in 1...2 {
            readers.append(Task { [link = setup.link] in try await link.receive() })
            try await eventually { setup.link.readerCount == number }
        }
        #expect(!setup.deliver((0..<20).map(String.init)))
        for (number, reader) in readers.enumerated() { #expect(try await reader.value?.text == "\(number)") }
        #expect(try setup.link.receiveAtOnce().flatMap(\.self)?.text == "2")
        // The inbox is not empty, and its ring is used around its end.
        #expect(!setup.deliver((20..<40).map(String.init)))
        for number in 3..<40 { #expect(try setup.link.receiveAtOnce().flatMap(\.self)?.text == "\(number)") }
        #expect(try setup.link.receiveAtOnce() == nil)
    }

    @Test("received messages are delivered before the end")
    func endsAfterMessages() async throws {
        let setup = Setup()
        _ = setup.deliver(["1"])
        let lost = setup.link.failures.error(.connectionLost, .answered, "lost")
        setup.link.end(.abnormal, failure: lost)
        setup.link.end(WebSocketClosure(code: .normal, wasClean: true), failure: nil)
        #expect(try await setup.link.receive()?.text == "1")
        for _ in 0..<2 { #expect(try await failure { try await setup.link.receive() }.kind == .connectionLost) }
        #expect(setup.link.closure == .abnormal)
        #expect(try await failure { try await setup.link.send(.text("x")) }.kind == .connectionLost)
    }

    @Test("the end of a connection resumes all tasks that wait")
    func endsWaiters() async throws {
        let setup = Setup()
        let sender = try await setup.queue("a")
        let reader = Task { try await setup.link.receive() }
        setup.link.end(.abnormal, failure: setup.link.failures.error(.connectionLost, .answered, "lost"))
        #expect(try await failure { try await sender.value }.kind == .connectionLost)
        #expect(try await failure { try await reader.value }.kind == .connectionLost)
    }

    @Test(
        "each message that fails with the connection has its delivery state",
        arguments: [FailureKind.connectionLost, .timedOut, nil]
    )
    func delivery(kind: FailureKind?) async throws {
        let setup = Setup()
        let first = try await setup.queue("a")
        #expect(setup.batch() == ["a"])
        let second = try await setup.queue("b")
        // A peer that ends in order leaves the link without a failure.
        setup.link.end(.abnormal, failure: kind.map { setup.link.failures.error($0, .answered, "over") })
        #expect(try await failure { try await first.value }.delivery == .maybeSent)
        #expect(try await failure { try await second.value }.delivery == .notSent)
        #expect(try await failure { try await setup.link.send(.text("c")) }.delivery == .notSent)
    }

    @Test("a message whose write fails may have been sent")
    func failedWriting() async throws {
        let setup = Setup()
        let task = try await setup.queue("a")
        #expect(setup.batch() == ["a"])
        setup.link.end(.abnormal, failure: setup.link.failures.error(.connectionLost, .answered, "broken"))
        #expect(try await failure { try await task.value }.delivery == .maybeSent)
    }

    @Test("senders do not wait while few bytes are queued")
    func unwaited() async throws {
        let setup = Setup(unwaitedBytes: 3)
        for text in ["a", "b", "c"] { try await setup.link.send(.text(text)) }
        #expect(setup.batch() == ["a", "b", "c"])
        // Under way still counts.
        let waiting = Task { try await setup.link.send(.text("d")) }
        try await eventually { setup.link.queuedCount > 0 }
        #expect(setup.batch() == ["d"])
        // Taking what comes next says that the system has taken what came before.
        #expect(setup.batch() == [])
        try await waiting.value
        try await setup.link.send(.text("e"))
    }

    @Test("no message is accepted after the close frame")
    func afterGoodbye() async throws {
        let setup = Setup()
        setup.link.say(.close(.normal, reason: ""))
        #expect(try await failure { try await setup.link.send(.text("x")) }.kind == .clientClosed)
        _ = setup.deliver(["late"])
        #expect(setup.batch() == ["(control)"])
        setup.link.end(.abnormal, failure: nil)
        #expect(try await setup.link.receive() == nil)
    }
}
