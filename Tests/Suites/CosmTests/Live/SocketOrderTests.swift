import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import HeliumTesting
import HeliumWebSocket
import Synchronization
import TestSupport
import Testing
import WireSupport

@testable import Cosm

@Suite("Orders of events on a live socket", .timeLimit(.minutes(5)))
struct SocketOrderTests {
    private static let place = "/feeds/\(TestStation.feedID)/datastreams"

    private func point(_ number: Int64) -> Datapoint {
        Datapoint(at: Timestamp(microseconds: number), value: DatapointValue(Int(number)))
    }

    private func follow(
        _ id: String,
        _ socket: CosmSocket,
        _ station: TestStation,
        _ options: SubscriptionOptions = SubscriptionOptions()
    ) async throws -> LiveSubscription<Datastream> {
        try await socket.follow(.datastream(id, in: TestStation.feedID), reader: station, options: options)
    }

    /// Waits for an update with a value. The state that is read after a lost connection may come before it.
    private func hasUpdate(_ value: Int, _ subscription: LiveSubscription<Datastream>) async throws -> Bool {
        for try await update in subscription where update.value.currentValue == DatapointValue(value) { return true }
        return false
    }

    @Test(
        "a subscription that is refused for now is requested again, and the connection and the others go on",
        arguments: [[503, 500, 503], [520], [429, 429], [408]]
    )
    func refusedForNow(statuses: [Int]) async throws {
        try await TestStation.run { station, socket async throws in
            let (a, b) = (try await follow("a", socket, station), try await follow("b", socket, station))
            station.manners.refusals["\(Self.place)/a"] = statuses
            station.cut()
            await station.wait { station.subscriptionCount == 2 }
            #expect(station.clientCount == 2, "a refusal does not end the connection")
            for (subscription, id) in [(a, "a"), (b, "b")] {
                station.write(id, point(7))
                #expect(try await hasUpdate(7, subscription))
            }
        }
    }

    /// A connection whose queue is full for the first messages.
    private final class CrowdedConnection: TextConnection {
        private let connection: any TextConnection
        private let refusals = Guarded(5)

        init(_ connection: any TextConnection) { self.connection = connection }

        var executor: (any TaskExecutor)? { connection.executor }

        nonisolated(nonsending) func send(text: String) async throws {
            let isFull = refusals.withLock { count in
                defer { count -= 1 }
                return count > 0
            }
            guard isFull else { return try await connection.send(text: text) }
            var error = HeliumError(
                .ceilingExceeded,
                request: RequestSummary(method: .get, url: "ws://cosm.test/"),
                delivery: .notSent,
                message: "too many messages are waiting to be sent"
            )
            error[fact: \.ceiling] = .queuedMessages
            throw error
        }

        nonisolated(nonsending) func receiveText() async throws -> String? { try await connection.receiveText() }

        func end() async { await connection.end() }
    }

    @Test("a subscription that finds too many messages before it waits, and the connection goes on")
    func crowded() async throws {
        try await TestStation.run { station, plain async throws in
            let address = SocketAddress(url: plain.url, key: "EXAMPLE_KEY")
            let socket = CosmSocket(address, .brisk) {
                let transport = SharedTransport.get(CurlTransport.Configuration())
                return CrowdedConnection(try await address.connect(CosmSocketOptions.brisk.connection, on: transport))
            }
            async let first = follow("a", socket, station)
            async let second = follow("b", socket, station)
            for (id, subscription) in [("a", try await first), ("b", try await second)] {
                station.write(id, point(7))
                #expect(try await hasUpdate(7, subscription))
                await subscription.unsubscribe()
            }
            #expect(station.clientCount == 1)
            await socket.close()
        }
    }

    @Test(
        "a subscription that is refused permanently ends alone",
        arguments: [(501, CosmError.Kind.serverFailed), (505, .serverFailed), (401, .unauthorized), (404, .notFound)]
    )
    func refusedPermanently(status: Int, kind: CosmError.Kind) async throws {
        try await TestStation.run { station, socket async throws in
            let (a, b) = (try await follow("a", socket, station), try await follow("b", socket, station))
            station.manners.refusals["\(Self.place)/a"] = [status]
            station.cut()
            var ended = a.makeAsyncIterator()
            let error = await #expect(throws: CosmError.self) { _ = try await ended.next() }
            #expect(error?.kind == kind)
            await station.wait { station.subscriptionCount == 1 }
            station.write("b", point(7))
            #expect(try await hasUpdate(7, b))
            #expect(station.clientCount == 2)
        }
    }

    @Test("a new subscription that is refused for now has the server's error when its time is over, or 429 at once")
    func refusedAtFirst() async throws {
        // Only the delays after refusals pass.
        var options = CosmSocketOptions.brisk(TestClock(skippingSleepsUpTo: .milliseconds(4)))
        options.subscribeTimeout = .milliseconds(50)
        try await TestStation.run(options: options) { station, socket async throws in
            station.manners.refusal = (503, "Later")
            let busy = await #expect(throws: CosmError.self) { try await follow("a", socket, station) }
            #expect(busy?.kind == .overloaded && busy?.messages == ["Later"])
            station.manners.refusal = (429, "Slow down")
            let limited = await #expect(throws: CosmError.self) { try await follow("a", socket, station) }
            #expect(limited?.kind == .rateLimited)
        }
    }

    @Test("a subscription can be ended while the server refuses it for now")
    func endWhileRefused() async throws {
        // The delay before the next request never passes.
        let clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        var options = CosmSocketOptions.brisk(clock)
        options.backoff.firstDelay = .seconds(3)
        options.backoff.maximumDelay = .seconds(3)
        options.connection.random = RandomSource { .max }
        try await TestStation.run(options: options) { station, socket async throws in
            let a = try await follow("a", socket, station)
            station.manners.refusals["\(Self.place)/a"] = Array(repeating: 503, count: 1000)
            station.cut()
            try await eventually {
                if socket.state.withLock({ $0.registrations.values.contains { $0.pause != nil } }) { return true }
                // Only the delay before the next connection passes. The time until the next ping would take the limits of the
                // connection and of the reply with it.
                if let next = clock.nextWakeTime, next - clock.uptime <= .seconds(3) { clock.advanceToNextSleeper() }
                return false
            }
            await a.unsubscribe()
            #expect(socket.state.withLock { $0.registrations.isEmpty })
        }
    }

    @Test("unsubscribing does not wait for a subscription that joins before the server has heard of it")
    func joinedByAnother() async throws {
        // A wait for the reply would never end: the clock stands still.
        let options = CosmSocketOptions.brisk(TestClock())
        let random = SeededRandom(seed: ProofLength.seed(1))
        try await TestStation.run(options: options) { station, socket async throws in
            var random = random
            var last = try await follow("a", socket, station)
            for _ in 0..<100 {
                let (old, yields) = (last, random.below(12))
                let joining = Task {
                    for _ in 0..<yields { await Task.yield() }
                    return try await follow("a", socket, station)
                }
                await old.unsubscribe()
                last = try await joining.value
            }
            await station.wait { station.subscriptionCount == 1 }
            await last.unsubscribe()
            #expect(station.subscriptionCount == 0)
        }
    }

    @Test("a registration that another follower keeps ends the wait of the one that left")
    func keptRegistration() throws {
        var state = SocketState()
        var registration = SocketState.Registration()
        (registration.token, registration.isReconciling) = ("t", true)
        registration.followers[2] = IdleFollower()
        state.registrations["r"] = registration
        #expect(state.nextStep("r").left === registration.left)
        #expect(state.registrations["r"]?.left !== registration.left)
    }

    @Test("a follower that left does not wait for one that joined while the server removed the registration")
    func removedForAnother() throws {
        let address = SocketAddress(url: try #require(URL(string: "ws://cosm.test/")), key: nil)
        let frame = try SocketFrame(#"{"status":503,"resource":"r","body":"No"}"#)
        let refusal = CosmError(frame, to: .subscribe, "r", on: address)
        var registration = SocketState.Registration()
        (registration.token, registration.isReconciling, registration.isUnsubscribing) = ("t", true, true)
        registration.followers[2] = IdleFollower()
        var state = SocketState()
        state.registrations["r"] = registration
        #expect(state.forget("r") === registration.left)
        guard case .subscribe = state.nextStep("r").step, let second = state.registrations["r"]?.left,
            case .pause(_, _, let left) = state.refused("r", refusal, policy: BackoffPolicy(), random: 0)
        else {
            Issue.record("the registration is not requested again")
            return
        }
        #expect(left === second && state.registrations["r"]?.settled === registration.settled)
        let third = state.registrations["r"]?.left
        _ = state.disconnect(at: .zero)
        #expect(third?.isSettled == true && !registration.settled.isSettled)
    }

    @Test("unsubscribing ends with the connection, also if another subscription to the resource has begun")
    func leftConnection() async throws {
        // No wait passes, and no connection follows: the clock stands still.
        let options = CosmSocketOptions.brisk(TestClock())
        try await TestStation.run(options: options) { station, socket async throws in
            let first = try await follow("a", socket, station)
            station.manners.ignored = ["unsubscribe"]
            let leaving = Task { await first.unsubscribe() }
            await station.wait { station.requests.last?.method == "unsubscribe" }
            let joining = Task { try await follow("a", socket, station) }
            try await eventually { socket.state.withLock { $0.registrations.values.first?.followers.count == 1 } }
            station.cut()
            await leaving.value
            joining.cancel()
            _ = await joining.result
        }
    }

    @Test("unsubscribing waits for the server's response no longer than the time limit of responses")
    func unconfirmedLeave() async throws {
        let clock = TestClock()
        let options = CosmSocketOptions.brisk(clock)
        try await TestStation.run(options: options) { station, socket async throws in
            let subscription = try await follow("a", socket, station)
            // So that a deadline of the subscription can't be taken for the next one's.
            clock.advance(by: .seconds(1))
            station.manners.ignored = ["unsubscribe"]
            let end = clock.uptime + options.replyTimeout
            let hasEnded = Guarded(false)
            let leaving = Task {
                await subscription.unsubscribe()
                hasEnded.withLock { $0 = true }
            }
            await station.wait { station.requests.last?.method == "unsubscribe" }
            try await eventually { clock.nextDeadline == end }
            clock.advance(by: options.replyTimeout - .milliseconds(1))
            #expect(!hasEnded.withLock { $0 } && clock.nextDeadline == end)
            clock.advance(by: .milliseconds(1))
            await leaving.value
            #expect(clock.uptime == end)
        }
    }

    @Test("a follower whose wait is cancelled as the server confirms it is ended")
    func cancelledAtConfirmation() async throws {
        try await TestStation.run { station, socket async throws in
            let follower = CancellingFollower()
            let joining = Task {
                try await follower.isReady.value()
                return try await socket.join(.datastream("a", in: TestStation.feedID), follower)
            }
            follower.cancel.withLock { $0 = { joining.cancel() } }
            follower.isReady.settle()
            await #expect(throws: CancellationError.self) { try await joining.value }
            #expect(follower.isEnded.isSettled)
            await station.wait { station.subscriptionCount == 0 }
        }
    }

    // MARK: Requests over raw TCP

    private func get(_ socket: CosmSocket) -> Task<SocketReply, any Error> {
        Task { try await socket.request(.get, "/feeds/\(TestStation.feedID)") }
    }

    /// Sends a request that gets no response, and cancels it.
    private func cancelRequest(_ socket: CosmSocket, _ station: TestStation) async {
        let count = station.requests.count
        station.manners.ignored = ["get"]
        let request = get(socket)
        await station.wait { station.requests.count == count + 1 }
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        station.manners.ignored = []
    }

    @Test("a request over raw TCP waits for its turn no longer than the timeout of subscriptions")
    func turn() async throws {
        let clock = TestClock()
        var options = CosmSocketOptions.brisk(clock)
        options.subscribeTimeout = .seconds(60)
        options.replyTimeout = .seconds(100)
        options.connection.timeouts.connect = nil
        try await TestStation.run(isRaw: true, options: options) { station, socket async throws in
            _ = try await socket.request(.get, "/feeds/91")
            station.manners.ignored = ["get"]
            let first = get(socket)
            await station.wait { station.requests.count == 2 }
            let second = get(socket)
            try await eventually { socket.requestLock.waiterCount == 1 }
            clock.advance(by: options.subscribeTimeout)
            let late = await #expect(throws: CosmError.self) { try await second.value }
            #expect(late?.delivery == .notSent && late?.underlying?.phase == .queue)
            clock.advance(by: options.replyTimeout - options.subscribeTimeout)
            let unanswered = await #expect(throws: CosmError.self) { try await first.value }
            #expect(unanswered?.delivery == .maybeSent && unanswered?.underlying?.phase == .firstByte)
            station.manners.ignored = []
            // Its reply may still come, so that the next request goes to another connection.
            let third = get(socket)
            try await eventually {
                clock.advance(by: .milliseconds(1))
                return station.clientCount == 2
            }
            #expect(try await third.value.status == 200)
            #expect(station.requests.count == 3)
        }
    }

    @Test("after a request over raw TCP that was cancelled, the next one waits for its response")
    func cancelledTurn() async throws {
        try await TestStation.run(isRaw: true) { station, socket async throws in
            await cancelRequest(socket, station)
            let second = get(socket)
            try await eventually { socket.requestLock.waiterCount == 1 }
            #expect(station.requests.count == 1)
            station.say(#"{"status":503,"resource":"/feeds/91","body":"late"}"#)
            #expect(try await second.value.status == 200)
            #expect(station.requests.count == 2 && station.clientCount == 1)
        }
    }

    @Test("a request over raw TCP that was cancelled and gets no response ends its connection after the timeout")
    func cancelledWithoutResponse() async throws {
        let clock = TestClock()
        var options = CosmSocketOptions.brisk(clock)
        // So that the clock can move until the timeout of the response is over, and no further than that of the next.
        options.replyTimeout = .seconds(1_000)
        options.subscribeTimeout = .seconds(100_000)
        options.connection.timeouts.connect = nil
        try await TestStation.run(isRaw: true, options: options) { station, socket async throws in
            _ = try await socket.request(.get, "/feeds/91")
            await cancelRequest(socket, station)
            let second = get(socket)
            try await eventually { socket.requestLock.waiterCount == 1 }
            try await eventually {
                clock.advance(by: .seconds(1))
                return station.clientCount == 2
            }
            #expect(try await second.value.status == 200)
        }
    }

    @Test("the turn over raw TCP goes on after requests that are cancelled at any moment")
    func cancelledAnywhere() async throws {
        // A turn that is kept too long would never end: the clock stands still.
        var options = CosmSocketOptions.brisk(TestClock())
        options.connection.timeouts.connect = nil
        let random = SeededRandom(seed: ProofLength.seed(1))
        try await TestStation.run(isRaw: true, options: options) { station, socket async throws in
            var random = random
            for _ in 0..<200 {
                let request = get(socket)
                for _ in 0..<random.below(40) { await Task.yield() }
                request.cancel()
                _ = await request.result
            }
            #expect(try await get(socket).value.status == 200)
            #expect(station.clientCount == 1)
        }
    }

    /// A connection whose peer takes everything and answers nothing.
    private final class QuietConnection: TextConnection {
        let executor: (any TaskExecutor)? = nil
        private let ending = Signal<Void>()
        let sentCount = Guarded(0)

        nonisolated(nonsending) func send(text: String) async throws { sentCount.withLock { $0 += 1 } }
        nonisolated(nonsending) func receiveText() async throws -> String? {
            try await ending.value()
            return nil
        }
        func end() async { ending.settle() }
    }

    @Test("a request of the socket itself that is cancelled late leaves the next connection over raw TCP in use")
    func cancelledLate() async throws {
        let address = SocketAddress(url: try #require(URL(string: "tcp://cosm.test/")), key: nil)
        let socket = CosmSocket(address, .brisk(TestClock())) { QuietConnection() }
        func connect(_ number: Int) -> QuietConnection {
            let (_, work) = AsyncStream.makeStream(of: String.self)
            let connection = QuietConnection()
            socket.state.withLock { $0.connection = .init(number: number, connection: connection, work: work) }
            return connection
        }
        let first = connect(1)
        let request = Task { try await socket.exchange(.get, "/feeds/91", body: String?.none) }
        try await eventually { first.sentCount.withLock { $0 == 1 } }
        _ = connect(2)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(socket.state.withLock { $0.connection?.isEnding } == false)
    }

    @Test("closing the socket ends a request over raw TCP that waits for the turn of a subscription")
    func closedInTurn() async throws {
        var options = CosmSocketOptions.brisk(TestClock())
        options.connection.timeouts.connect = nil
        try await TestStation.run(isRaw: true, options: options) { station, socket async throws in
            station.manners.ignored = ["subscribe"]
            let subscription = Task { try await follow("a", socket, station) }
            await station.wait { station.requests.count == 1 }
            let request = get(socket)
            try await eventually { socket.requestLock.waiterCount == 1 }
            await socket.close()
            let error = await #expect(throws: CosmError.self) { try await request.value }
            #expect(error?.delivery == .notSent && error?.underlying?.kind == .clientClosed)
            await #expect(throws: (any Error).self) { _ = try await subscription.value }
            #expect(station.requests.count == 1)
        }
    }

    @Test("a refusal of a registration that its last follower has left ends the follower's wait")
    func refusedWithoutFollowers() throws {
        let address = SocketAddress(url: try #require(URL(string: "ws://cosm.test/")), key: nil)
        let frame = try SocketFrame(#"{"status":503,"resource":"r","body":"No"}"#)
        var state = SocketState()
        var registration = SocketState.Registration()
        registration.isReconciling = true
        state.registrations["r"] = registration
        let refusal = CosmError(frame, to: .subscribe, "r", on: address)
        guard case .goOn = state.refused("r", refusal, policy: BackoffPolicy(), random: 0) else {
            Issue.record("it waits")
            return
        }
        #expect(state.nextStep("r").left === registration.left && state.registrations.isEmpty)
    }

    @Test(
        "a datastream whose id ends like a format, or has characters of a path, is subscribed to by its own id",
        arguments: ["a.csv", "b.json", "c.xml", "d.PNG", "e.f", "g/h", "i?j", "k%20", "l#m", "üöä+1"]
    )
    func suffixes(id: String) throws {
        let resource = LiveResource.datastream(id, in: "504")
        #expect(LiveResource(path: resource.path) == resource)
        #expect(!resource.path.dropFirst("/feeds/504/datastreams/".count).contains { "/?#".contains($0) })
    }

    @Test("a gap is filled from the outage, however old the last known datapoint is")
    func historyOfOutage() async throws {
        let year = Int64(365 * 86_400) * 1_000_000
        let clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        var options = CosmSocketOptions.brisk
        options.connection.clock = clock
        options.connection.timeouts.send = nil
        options.connection.timeouts.connect = nil
        options.connection.timeouts.silence = .seconds(60)
        try await TestStation.run(options: options) { station, socket async throws in
            station.write("a", point(1))
            var following = SubscriptionOptions()
            following.startsWithCurrentState = true
            following.fillsGapsFromHistory = true
            let subscription = try await follow("a", socket, station, following)
            var updates = subscription.makeAsyncIterator()
            #expect(try await updates.next()?.value.currentValue == 1)
            station.manners.cutting = ["subscribe"]
            station.cut()
            for second in [-1, 0] as [Int64] { station.write("a", point(year + second * 1_000_000)) }
            station.manners.cutting = []
            #expect(try await updates.next()?.origin == .history)
            #expect(try await updates.next()?.value.at == Timestamp(microseconds: year))
            let start = try #require(station.queries.first?.start)
            #expect(start >= Timestamp(microseconds: year).advanced(by: .seconds(-3600)))
            #expect(station.queries.count == 1)
        }
    }

    @Test("a state that cannot be read is read again after the delay that the service requests")
    func requestedDelay() async throws {
        let clock = TestClock()
        let refusing = MockTransport(cosm: { _ in .empty(status: 429, fields: [.retryAfter: "600"]) })
        let follower = LiveFollower<Datastream>(
            .datastream("a", in: TestStation.feedID),
            reader: try makeAPI(refusing),
            options: SubscriptionOptions(),
            clock: clock,
            random: RandomSource { 0 }
        )
        follower.mayHaveMissed()
        await clock.waitForSleepers(1)
        #expect(clock.requestedSleeps == [.seconds(600)])
        follower.ended(nil)
    }

    @Test("options of a subscription have no value that ends the process", arguments: [Int.min, -1, 0, 1, .max])
    func extremeOptions(value: Int) async throws {
        try await TestStation.run { station, socket async throws in
            var options = SubscriptionOptions()
            options.startsWithCurrentState = true
            options.fillsGapsFromHistory = true
            options.maximumHistoryPoints = value
            options.bufferLimit = value
            station.write("a", point(1))
            var updates = try await follow("a", socket, station, options).makeAsyncIterator()
            _ = try await updates.next()
            station.manners.cutting = ["subscribe"]
            station.cut()
            for number in 2...5 { station.write("a", point(Int64(number))) }
            station.manners.cutting = []
            while let update = try await updates.next(), update.value.currentValue != 5 {}
        }
    }

    @Test("a request on a connection that has ended is sent on the next one")
    func endedConnection() async throws {
        let options = CosmSocketOptions.brisk(TestClock(skippingSleepsUpTo: .milliseconds(4)))
        try await TestStation.run(options: options) { station, socket async throws in
            _ = try await socket.request(.get, "/feeds/91")
            // As after the grace period: this side ends the connection, and has not noted its end.
            let connection = try #require(socket.state.withLock { $0.connection })
            await connection.connection.end()
            for _ in 0..<20 { #expect(try await socket.request(.get, "/feeds/91").status == 200) }
        }
    }

    @Test("after an API's socket was closed, the APIs of its key share a new one")
    func closedSocket() async throws {
        let base = try #require(URL(string: "http://order.test/v2"))
        let cosm = try CosmClient(apiKey: "a", baseURL: base, socketURL: URL(string: "ws://order.test"))
        let closed = try cosm.socket
        await closed.close()
        let next = try cosm.socket
        #expect(next !== closed)
        let again = try cosm.socket
        #expect(again === next)
        await next.close()
    }
}

/// A follower that cancels the task that waits for the confirmation, just before that is told.
private final class CancellingFollower: SocketFollower {
    let isReady = Signal<Void>()
    let isEnded = Signal<Void>()
    let cancel = Guarded<(@Sendable () -> Void)?>(nil)

    func confirmed(after lost: Duration?) { cancel.withLock { $0 }?() }
    func received(_ body: SocketFrame.Body) {}
    func mayHaveMissed() {}
    func ended(_ error: (any Error)?) { isEnded.settle() }
}

private struct IdleFollower: SocketFollower {
    func confirmed(after lost: Duration?) {}
    func received(_ body: SocketFrame.Body) {}
    func mayHaveMissed() {}
    func ended(_ error: (any Error)?) {}
}
