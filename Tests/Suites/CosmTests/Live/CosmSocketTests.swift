import Foundation
import HeliumCore
import HeliumTesting
import HeliumWebSocket
import Synchronization
import TestSupport
import Testing
import WireSupport

@testable import Cosm

@Suite("Live socket of the Cosm client", .timeLimit(.minutes(5)))
struct CosmSocketTests {
    private static let feed = LiveResource.feed(TestStation.feedID)

    private func point(_ number: Int) -> Datapoint {
        Datapoint(at: Timestamp(microseconds: Int64(number)), value: DatapointValue(number))
    }

    private func follow(
        _ socket: CosmSocket,
        _ station: TestStation,
        _ options: SubscriptionOptions = SubscriptionOptions()
    ) async throws -> LiveSubscription<Feed> {
        try await socket.follow(Self.feed, reader: station, options: options)
    }

    /// Lets so much time pass, once the next pause or time limit ends just then.
    private func pass(_ duration: Duration, on clock: TestClock) async throws {
        try await eventually {
            [clock.nextWakeTime, clock.nextDeadline].compactMap(\.self).min() == clock.uptime + duration
        }
        clock.advance(by: duration)
    }

    @Test("a subscription delivers the server's pushes, and unsubscribes at its end", arguments: [false, true])
    func pushes(isRaw: Bool) async throws {
        try await TestStation.run(isRaw: isRaw) { station, socket async throws in
            let feed = try await follow(socket, station)
            let stream: LiveSubscription<Datastream> = try await socket.follow(
                .datastream("temp", in: TestStation.feedID),
                reader: station,
                options: SubscriptionOptions()
            )
            for number in 1...3 { station.write("temp", point(number)) }
            var feeds = feed.makeAsyncIterator()
            var streams = stream.makeAsyncIterator()
            for number in 1...3 {
                let update = try #require(try await feeds.next())
                #expect(update.origin == .push && update.value.title == "Shed" && !update.followsGap)
                #expect(update.value.datastreams?.first?.currentValue == DatapointValue(number))
                #expect(try await streams.next()?.value.currentValue == DatapointValue(number))
            }
            await feed.unsubscribe()
            await stream.unsubscribe()
            #expect(try await feeds.next() == nil)
            #expect(station.subscriptionCount == 0)
            #expect(station.requests.map(\.method) == ["subscribe", "subscribe", "unsubscribe", "unsubscribe"])
            #expect(station.requests.allSatisfy { $0.key == "EXAMPLE_KEY" })
            let tokens = station.requests.compactMap(\.token)
            #expect(Set(tokens).count == 4 && tokens.allSatisfy { $0.allSatisfy(\.isNumber) })
        }
    }

    @Test("a live socket reads the server at a limited pace by default")
    func pace() {
        let limits = CosmSocketOptions().connection.limits
        #expect(limits.messagesPerSecond == 5_000 && limits.bytesPerSecond == 16 << 20)
    }

    @Test("many subscriptions share one live connection")
    func shared() async throws {
        try await TestStation.run { station, socket async throws in
            var subscriptions: [LiveSubscription<Datastream>] = []
            for number in 0..<20 {
                subscriptions.append(
                    try await socket.follow(
                        .datastream("s\(number % 10)", in: TestStation.feedID),
                        reader: station,
                        options: SubscriptionOptions()
                    )
                )
            }
            #expect(station.connectionCount == 1 && station.subscriptionCount == 10)
            station.write("s3", point(1))
            for subscription in [subscriptions[3], subscriptions[13]] {
                var iterator = subscription.makeAsyncIterator()
                #expect(try await iterator.next()?.value.id == "s3")
            }
            // Another follows still.
            await subscriptions[3].unsubscribe()
            #expect(station.subscriptionCount == 10)
            await subscriptions[13].unsubscribe()
            #expect(station.subscriptionCount == 9)
        }
    }

    @Test(
        "a refused subscription is an error with the server's message",
        arguments: [
            (401, CosmError.Kind.unauthorized), (403, .forbidden), (404, .notFound), (400, .badRequest),
        ]
    )
    func refused(status: Int, kind: CosmError.Kind) async throws {
        try await TestStation.run { station, socket async throws in
            station.manners.refusal = (status, "No: never EXAMPLE_KEY")
            do {
                _ = try await follow(socket, station)
                Issue.record("it was not refused")
            } catch let error as CosmError {
                #expect(error.kind == kind && error.status == status)
                #expect(error.messages == ["No: never [redacted]"])
                #expect(!"\(error)".contains("EXAMPLE_KEY"))
            }
            #expect(station.connectionCount == 1)
        }
    }

    @Test("pushes and responses without tokens are matched by their resource", arguments: [false, true])
    func withoutTokens(isRaw: Bool) async throws {
        try await TestStation.run(isRaw: isRaw) { station, socket async throws in
            station.manners.hidesTokens = true
            let feed = try await follow(socket, station)
            station.write("temp", point(1))
            var updates = feed.makeAsyncIterator()
            #expect(try await updates.next()?.origin == .push)
        }
    }

    @Test("a live socket is not delayed by ids and tokens that are slow to compare", arguments: [false, true])
    func slowText(isRaw: Bool) async throws {
        // One look-up of it in a dictionary of strings takes minutes.
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 400_000)
        try await TestStation.run(isRaw: isRaw) { station, socket async throws in
            let feed = try await follow(socket, station)
            let token = try #require(station.requests.first?.token)
            let body = #"{"id":91,"datastreams":[{"id":"\#(marks)","current_value":"1"}]}"#
            station.say(#"{"token":"\#(token)","resource":"/feeds/91","body":\#(body)}"#)
            station.say(#"{"token":"\#(marks)","resource":"/feeds/91","body":{"id":91}}"#)
            station.say(#"{"resource":"/feeds/91/datastreams/\#(marks)","body":{}}"#)
            // They may have been pushes of the feed: it is read.
            await station.wait { station.reads > 0 }
            station.write("temp", point(1))
            var updates = feed.makeAsyncIterator()
            var update = try await updates.next()
            while let last = update, last.value.datastreams?.first == nil { update = try await updates.next() }
            #expect(update?.value.datastreams?.first?.currentValue == DatapointValue(1))
        }
    }

    @Test("a live socket reads, changes and creates resources")
    func requests() async throws {
        try await TestStation.run { station, socket async throws in
            station.write("temp", point(7))
            let read = try await socket.request(.get, "/feeds/91")
            #expect(read.status == 200 && read.body?.objectValue?["title"] == "Shed")
            #expect(read.fields["CONTENT_TYPE"] == "application/json; charset=utf-8")
            let created = try await socket.request(.post, "/feeds", body: Feed(title: "New"))
            #expect(created.status == 201 && created.fields["LOCATION"] == "http://h/v2/feeds/92")
            #expect(station.requests.last?.body?.objectValue?["title"] == "New")
            let error = await #expect(throws: CosmError.self) { try await socket.request(.delete, "/feeds/8") }
            #expect(error?.kind == .notFound && error?.messages == ["Not found: I'm sorry"])
        }
    }

    @Test("requests over raw TCP are sent one after the other, whatever pieces responses arrive in")
    func rawInTurn() async throws {
        try await TestStation.run(isRaw: true) { station, socket async throws in
            station.manners.pieces = 3
            let replies = try await withThrowingTaskGroup(of: SocketReply.self) { group in
                for _ in 0..<20 { group.addTask { try await socket.request(.get, "/feeds/91") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.count == 20 && replies.allSatisfy { $0.status == 200 })
        }
    }

    @Test("a live request without a response fails after its time limit")
    func unanswered() async throws {
        let clock = TestClock()
        let options = CosmSocketOptions.brisk(clock)
        try await TestStation.run(options: options) { station, socket async throws in
            _ = try await socket.request(.get, "/feeds/91")
            // So that the deadline of this one can't be taken for the next one's.
            clock.advance(by: .seconds(1))
            station.manners.ignored = ["get"]
            let asking = Task { try await socket.request(.get, "/feeds/91") }
            try await pass(options.replyTimeout, on: clock)
            let error = await #expect(throws: CosmError.self) { try await asking.value }
            #expect(error?.underlying?.kind == .timedOut)
        }
    }

    @Test("a live request whose connection breaks fails, and the socket connects again")
    func brokenRequest() async throws {
        try await TestStation.run { station, socket async throws in
            station.manners.ignored = ["get"]
            let asking = Task { try await socket.request(.get, "/feeds/91") }
            await station.wait { station.requests.count == 1 }
            station.cut()
            let error = await #expect(throws: CosmError.self) { try await asking.value }
            #expect(error?.underlying?.kind == .connectionLost && error?.underlying?.delivery == .maybeSent)
            station.manners.ignored = []
            #expect(try await socket.request(.get, "/feeds/91").status == 200)
        }
    }

    @Test("a subscription delivers what differs after a lost connection, and nothing else")
    func resynchronised() async throws {
        try await TestStation.run { station, socket async throws in
            let feed = try await follow(socket, station)
            var updates = feed.makeAsyncIterator()
            station.write("temp", point(1))
            #expect(try await updates.next()?.origin == .push)

            // Nothing has changed: nothing is told.
            station.cut()
            await station.wait { station.subscriptionCount == 1 && station.reads == 1 }
            // The value changes while there is no connection.
            station.manners.refusal = (503, "Later")
            station.cut()
            station.write("temp", point(2))
            station.manners.refusal = nil
            let update = try #require(try await updates.next())
            #expect(update.origin == .resynchronised && update.value.datastreams?.first?.currentValue == 2)
            station.write("temp", point(3))
            #expect(try await updates.next()?.value.datastreams?.first?.currentValue == 3)
        }
    }

    @Test("a subscription reports a possible gap if the state cannot be read, and reads it again")
    func failingReads() async throws {
        try await TestStation.run { station, socket async throws in
            let feed = try await follow(socket, station)
            var updates = feed.makeAsyncIterator()
            station.write("temp", point(1))
            _ = try await updates.next()
            station.manners.failingReads = 2
            station.cut()
            station.write("temp", point(2))
            let update = try #require(try await updates.next())
            #expect(update.value.datastreams?.first?.currentValue == 2 && update.followsGap)
        }
    }

    @Test("a frame that cannot be decoded counts as a missed push", arguments: ["nonsense", "{}", "[1]"])
    func badFrames(text: String) async throws {
        try await TestStation.run { station, socket async throws in
            let feed = try await follow(socket, station)
            var updates = feed.makeAsyncIterator()
            station.write("temp", point(1))
            _ = try await updates.next()
            station.say(text)
            // It has read what it may have missed.
            await station.wait { station.reads == 1 }
            station.write("temp", point(2))
            #expect(try await updates.next()?.value.datastreams?.first?.currentValue == 2)
            #expect(station.connectionCount == 1)
        }
    }

    @Test("pushes and responses with unknown tokens are ignored")
    func unknownTokens() async throws {
        try await TestStation.run { station, socket async throws in
            let feed = try await follow(socket, station)
            station.say(#"{"token":"999","resource":"/feeds/7","body":{"title":"Other"}}"#)
            station.say(#"{"token":"999","status":200,"resource":"/feeds/7"}"#)
            station.write("temp", point(1))
            var updates = feed.makeAsyncIterator()
            #expect(try await updates.next()?.value.title == "Shed")
        }
    }

    @Test("a subscription begins with the present state on request")
    func initial() async throws {
        try await TestStation.run { station, socket async throws in
            station.write("temp", point(1))
            var options = SubscriptionOptions()
            options.startsWithCurrentState = true
            var updates = try await follow(socket, station, options).makeAsyncIterator()
            let update = try #require(try await updates.next())
            #expect(update.origin == .initial && update.value.datastreams?.first?.currentValue == 1)
        }
    }

    @Test("a slow consumer of a subscription loses the oldest updates, and learns their number")
    func slowConsumer() async throws {
        try await TestStation.run { station, socket async throws in
            var options = SubscriptionOptions()
            options.bufferLimit = 3
            let feed = try await follow(socket, station, options)
            for number in 1...10 { station.write("temp", point(number)) }
            // Answered after all pushes.
            _ = try await socket.request(.get, "/feeds/91")
            var updates = feed.makeAsyncIterator()
            var found: [LiveUpdate<Feed>] = []
            for _ in 0..<3 { found.append(try #require(try await updates.next())) }
            #expect(found.map { $0.value.datastreams?.first?.currentValue } == [8, 9, 10])
            #expect(found.map(\.followsGap) == [true, false, false])
        }
    }

    @Test("a cancelled or released consumer unsubscribes")
    func letGo() async throws {
        try await TestStation.run { station, socket async throws in
            let feed = try await follow(socket, station)
            let consuming = Task { for try await _ in feed {} }
            consuming.cancel()
            await #expect(throws: CancellationError.self) { try await consuming.value }
            await station.wait { station.subscriptionCount == 0 }
            do { _ = try await follow(socket, station) }
            await station.wait { station.requests.count == 4 && station.subscriptionCount == 0 }
            #expect(station.requests.map(\.method) == ["subscribe", "unsubscribe", "subscribe", "unsubscribe"])
        }
    }

    @Test("a live socket over raw TCP sends a probe, and connects again without a response")
    func probes() async throws {
        let clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        var options = CosmSocketOptions.brisk
        options.connection.clock = clock
        options.connection.timeouts.connect = nil
        options.connection.timeouts.send = nil
        options.connection.timeouts.pingInterval = .seconds(20)
        try await TestStation.run(isRaw: true, options: options) { station, socket async throws in
            let feed = try await follow(socket, station)
            try await pass(.seconds(20), on: clock)
            await station.wait { station.requests.count == 2 }
            #expect(station.requests.last?.method == "get" && station.requests.last?.resource == "/feeds/91")
            station.manners.ignored = ["get"]
            try await pass(.seconds(20), on: clock)
            await station.wait { station.requests.count == 3 }
            try await pass(options.replyTimeout, on: clock)
            await station.wait { station.requests.count == 4 }
            #expect(station.requests.map(\.method) == ["subscribe", "get", "get", "subscribe"])
            station.manners.ignored = []
            await feed.unsubscribe()
        }
    }

    @Test("an unused live connection ends after the grace period, and a new one is made on demand")
    func grace() async throws {
        let clock = TestClock()
        let options = CosmSocketOptions.brisk(clock)
        try await TestStation.run(options: options) { station, socket async throws in
            let feed = try await follow(socket, station)
            await feed.unsubscribe()
            #expect(station.connectionCount == 1)
            try await pass(options.grace, on: clock)
            await station.wait { station.connectionCount == 0 }
            let again = try await follow(socket, station)
            #expect(station.connectionCount == 1)
            await again.unsubscribe()
        }
    }

    @Test("a live connection that breaks with its last subscription ends after the grace period")
    func graceAfterBreak() async throws {
        let clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        let options = CosmSocketOptions.brisk(clock)
        try await TestStation.run(options: options) { station, socket async throws in
            let feed = try await follow(socket, station)
            station.manners.cutting = ["unsubscribe"]
            await feed.unsubscribe()
            await station.wait { station.connectionCount == 1 }
            // The pauses between connections, which are skipped, let time pass too, before the grace begins or after.
            try await eventually { clock.nextWakeTime.map { $0 <= clock.uptime + options.grace } ?? false }
            clock.advance(by: options.grace)
            await station.wait { station.connectionCount == 0 }
            try await eventually {
                if case .idle = socket.connectionState { true } else { false }
            }
        }
    }

    @Test("a closed live socket is released without waiting for the grace period")
    func closedIsGone() async throws {
        let clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        let options = CosmSocketOptions.brisk(clock)
        try await TestStation.run { station, other async throws in
            weak var closed: CosmSocket?
            do {
                let socket = CosmSocket(url: other.url, apiKey: "EXAMPLE_KEY", options: options)
                closed = socket
                _ = try await follow(socket, station)
                await socket.close()
            }
            try await eventually { closed == nil }
        }
    }

    @Test("closing a live socket ends requests that wait for a connection")
    func closedWhileWaiting() async throws {
        var options = CosmSocketOptions.brisk
        // It never gets a connection, and its time stands still.
        options.connection.clock = TestClock()
        try await FaultServer.withRefusingURL { [options] text async throws in
            let url = try #require(URL(string: text))
            let socket = CosmSocket(url: url, apiKey: "EXAMPLE_KEY", options: options)
            let asking = Task { try await socket.request(.get, "/feeds/91") }
            try await eventually { socket.state.withLock { $0.connected.waiterCount > 0 } }
            await socket.close()
            let error = await #expect(throws: CosmError.self) { try await asking.value }
            #expect(error?.underlying?.kind == .clientClosed && error?.underlying?.delivery == .notSent)
        }
    }

    @Test("a live socket reports its states, and they end with it")
    func states() async throws {
        try await TestStation.run { station, socket async throws in
            let states = socket.connectionStates
            let feed = try await follow(socket, station)
            station.cut()
            await station.wait { station.subscriptionCount == 1 }
            await socket.close()
            for try await _ in feed {}
            var names: [String] = []
            for await state in states {
                switch state {
                case .idle: names.append("idle")
                case .connecting: names.append("connecting")
                case .connected: names.append("connected")
                case .waiting: names.append("waiting")
                case .closed: names.append("closed")
                }
            }
            #expect(
                names.prefix(6) == ["idle", "connecting", "connected", "waiting", "connecting", "connected"]
                    && names.last == "closed"
            )
            await #expect(throws: CosmError.self) { try await follow(socket, station) }
        }
    }

    @Test(
        "requests of a live socket fail if another attempt cannot succeed",
        arguments: ["ftp://127.0.0.1/", "tcp://127.0.0.1/"]
    )
    func hopeless(text: String) async throws {
        let socket = CosmSocket(url: try #require(URL(string: text)), apiKey: nil)
        let error = await #expect(throws: CosmError.self) { try await follow(socket, TestStation()) }
        #expect(error?.kind == .invalidRequest)
        #expect(socket.connectionState.isClosed)
    }

    @Test("the description of a live socket does not show its key")
    func secrets() throws {
        let socket = CosmSocket(url: try #require(URL(string: "ws://h.test")), apiKey: "EXAMPLE_KEY")
        var dumped = "\(socket) \(String(reflecting: socket))"
        dump(socket, to: &dumped)
        #expect(!dumped.contains("EXAMPLE_KEY"))
    }

    @Test("all APIs of one key and URL share a live socket")
    func registry() throws {
        let base = try #require(URL(string: "http://h.test/v2"))
        let url = URL(string: "ws://h.test")
        let one = try CosmClient(apiKey: "a", baseURL: base, socketURL: url)
        let two = try CosmClient(apiKey: "a", baseURL: base, socketURL: url)
        let other = try CosmClient(apiKey: "b", baseURL: base, socketURL: url)
        let socket = try one.socket
        let (second, limited, third) = (try two.socket, try one.limited(to: .seconds(1)).socket, try other.socket)
        #expect(socket === second && socket === limited && socket !== third)
    }

    @Test("APIs with other connection settings do not share a live socket")
    func registrySettings() throws {
        let base = try #require(URL(string: "http://h.test/v2"))
        let url = URL(string: "ws://h.test/settings")
        var connection = CurlTransport.Configuration()
        connection.certificateAuthorityFile = "/nowhere/authority.pem"
        let one = try CosmClient(apiKey: "a", baseURL: base, socketURL: url)
        let two = try CosmClient(apiKey: "a", baseURL: base, socketURL: url, connection: connection)
        let same = try CosmClient(apiKey: "a", baseURL: base, socketURL: url, connection: connection)
        let (first, second, third) = (try one.socket, try two.socket, try same.socket)
        #expect(first !== second && second === third)
    }

    @Test(
        "a live socket has the connection settings of its API, also those of a transport of its own",
        arguments: [false, true]
    )
    func settings(hasTransport: Bool) async throws {
        let base = try #require(URL(string: "http://127.0.0.1:9/v2"))
        var connection = CurlTransport.Configuration()
        connection.certificateAuthorityFile = "/nowhere/authority.pem"
        try await WireServer.run { peer in
            try await peer.readToEnd()
        } _: { [connection] server async throws in
            let url = URL(string: "wss://127.0.0.1:\(server.port)/")
            let api =
                hasTransport
                ? try CosmClient(
                    apiKey: "a",
                    baseURL: base,
                    socketURL: url,
                    environment: ClientEnvironment(transport: CurlTransport(connection))
                ) : try CosmClient(apiKey: "a", baseURL: base, socketURL: url, connection: connection)
            let error = await #expect(throws: CosmError.self) { try await api.subscribe(to: 1) }
            #expect(error?.kind == .invalidConfiguration, "\(String(describing: error))")
            try await api.socket.close()
            await api.close()
        }
    }

    @Test("a live socket without a URL is an error")
    func noURL() async throws {
        let api = try CosmClient(apiKey: "a", baseURL: try #require(URL(string: "http://h.test/v2")))
        let error = await #expect(throws: CosmError.self) { try await api.subscribe(to: 1) }
        #expect(error?.kind == .invalidConfiguration)
    }
}
