import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import HeliumKit
import HeliumTesting
import HeliumWebSocket
import TestSupport
import Testing
import Tracing
import WireSupport

@Suite("Upgrade requests as calls of a client", .timeLimit(.minutes(5)))
struct UpgradeCallTests {
    // MARK: Time limits

    private var timeouts: PhaseTimeouts {
        var timeouts = PhaseTimeouts()
        timeouts.connect = .seconds(2)
        timeouts.firstByte = .seconds(3)
        timeouts.total = nil
        return timeouts
    }

    @Test("the limit of connecting ends an upgrade whose server does not speak TLS, before anything was sent")
    func connectLimit() async throws {
        let clock = TestClock()
        try await WireServer.run { peer in
            try await peer.readToEnd()
        } _: { server async throws in
            let base = server.url("https://127.0.0.1:\(server.port)")
            let helium = try Helium(baseURL: base, environment: ClientEnvironment(clock: clock))
            let builder = helium.webSocket("/updates").timeouts(timeouts).retry(.never)
            let connecting = Task { try await builder.connect() }
            await clock.waitForDeadlines()
            #expect(clock.nextDeadline == .seconds(2))
            clock.advance(by: .seconds(2))
            let error = try await failure { try await connecting.value }
            #expect(error.kind == .timedOut && error.phase == .connect && error.delivery == .notSent, "\(error)")
            await helium.close()
        }
    }

    @Test("the limit of the first byte begins when the request is sent, and ends an upgrade without a response")
    func firstByteLimit() async throws {
        let clock = TestClock()
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let environment = ClientEnvironment(clock: clock)
        try await LiveAPI.withClient([.ignore { continuation.finish() }], environment: environment) {
            helium,
            _,
            server in
            let builder = helium.webSocket("/updates").timeouts(timeouts).retry(.never)
            let connecting = Task { try await builder.connect() }
            for await _ in asked {}
            // The limit of connecting has ended.
            try await eventually { clock.nextDeadline == .seconds(3) }
            clock.advance(by: .seconds(3))
            let error = try await failure { try await connecting.value }
            #expect(error.kind == .timedOut && error.phase == .firstByte && error.delivery == .maybeSent, "\(error)")
            await server.waitForEnds()
        }
    }

    @Test("a rejection whose body never ends is still a rejection, and a rejected token is refreshed")
    func endlessRejection() async throws {
        let clock = TestClock()
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let authorizer = try RefreshingBearerAuthorizer(initial: BearerCredential(token: "old")) { _ in
            BearerCredential(token: "new")
        }
        let answers: [LiveAPI.Answer] = [
            .refuseSlowly("401 Unauthorized") { continuation.finish() }, .accept(), .accept(),
        ]
        let environment = ClientEnvironment(clock: clock)
        try await LiveAPI.withClient(answers, authorizer: authorizer, environment: environment) { helium, api, _ in
            let builder = helium.webSocket("/updates").timeouts(timeouts).retry(.never)
            let connecting = Task { try await builder.connect() }
            for await _ in asked {}
            // The loop has read the rejection when it has opened another connection after it.
            let other = try await builder.connect()
            clock.advance(by: .seconds(3))
            let socket = try await connecting.value
            #expect(await socket.close().wasClean)
            #expect(await other.close().wasClean)
            #expect(
                api.upgrades.map { WirePeer.field("Authorization", in: $0) } == [
                    "Bearer old", "Bearer old", "Bearer new",
                ]
            )
        }
    }

    @Test("no limit of the call remains when a WebSocket is open")
    func limitsEnd() async throws {
        let clock = TestClock()
        try await LiveAPI.withClient([.accept()], environment: ClientEnvironment(clock: clock)) { helium, _, _ in
            var limits = timeouts
            limits.total = .seconds(4)
            var sockets = WebSocketOptions.Timeouts()
            sockets.pingInterval = nil
            sockets.silence = nil
            let socket = try await helium.webSocket("/updates").timeouts(limits).socketTimeouts(sockets).connect()
            clock.advance(by: .seconds(100))
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("hello"))
            #expect(socket.closure == nil)
            #expect(await socket.close().wasClean)
        }
    }

    // MARK: Limits

    @Test("the head of an upgrade's response is limited like that of every response of the client")
    func headLimit() async throws {
        for (limit, isAccepted) in [(4_000, true), (1_000, false)] {
            var options = ClientOptions()
            options.limits.headerBytes = limit
            let fields = "X-Long: \(String(repeating: "x", count: 2_000))\r\n"
            try await LiveAPI.withClient([.accept(fields: fields)], options: options) { helium, _, _ in
                let builder = helium.webSocket("/updates").retry(.never)
                if isAccepted {
                    #expect(await (try await builder.connect()).close().wasClean)
                } else {
                    let error = try await failure { try await builder.connect() }
                    #expect(error.kind == .malformedResponse && error.message.contains("too long"), "\(error)")
                }
            }
        }
    }

    // MARK: Interceptors

    @Test("an upgrade request that an interceptor gives a body or another method is not sent")
    func changedRequests() async throws {
        let changes: [@Sendable (inout TransportRequest) -> Void] = [
            { $0.method = .post }, { $0.body = Data("{}".utf8) },
        ]
        for change in changes {
            var options = ClientOptions()
            options.interceptors = [
                ClosureInterceptor { request, _, next in
                    var request = request
                    change(&request)
                    return try await next(request)
                }
            ]
            try await LiveAPI.withClient([], options: options) { helium, _, server in
                let error = try await failure { try await helium.webSocket("/updates").connect() }
                #expect(error.kind == .invalidRequest && error.delivery == .notSent, "\(error)")
                #expect(error.message.contains("GET without a body") && server.accepted == 0)
            }
        }
    }

    // MARK: Redirects

    @Test("a redirect on the client's origin is followed, and the next request is authorized for its own URL")
    func followed() async throws {
        for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"] {
            let answers: [LiveAPI.Answer] = [.refuse("\(status)\r\nLocation: /api/other?x=1"), .accept()]
            try await LiveAPI.withSignedClient(answers) { helium, api in
                let socket = try await helium.webSocket("/updates").connect()
                #expect(await socket.close().wasClean)
                #expect(api.upgrades.count == 2, "\(status)")
                let head = try #require(api.upgrades.last)
                #expect(head.hasPrefix("GET /api/other?x=1 HTTP/1.1\r\n"), "\(head)")
                #expect(api.upgrades.allSatisfy { LiveAPI.isSigned($0, by: LiveAPI.device(1)) })
                // Each request has a key of its own.
                #expect(Set(api.upgrades.map { WirePeer.field("Sec-WebSocket-Key", in: $0) }).count == 2)
            }
        }
    }

    @Test("a redirect to another origin, and to a URL that is not HTTP, is refused, and nothing is sent there")
    func refusedElsewhere() async throws {
        for location in ["http://other.invalid/updates", "ws://127.0.0.1/updates", "wss://127.0.0.1/updates"] {
            try await LiveAPI.withClient([.refuse("302 Found\r\nLocation: \(location)")]) { helium, api, server in
                let error = try await failure { try await helium.webSocket("/updates").connect() }
                #expect(error.kind == .redirectRefused && error.delivery == .answered, "\(location): \(error)")
                #expect(error.status == 302 && error.head?[.location] == location)
                #expect(api.upgrades.count == 1 && server.accepted == 1)
            }
        }
    }

    @Test("a redirect to another origin is followed without credentials if the policy says so")
    func followedElsewhere() async throws {
        let other = LiveAPI([.accept()])
        try await WireServer.run { peer in
            try await other.serve(peer)
        } _: { target async throws in
            let location = "http://127.0.0.1:\(target.port)/elsewhere"
            let answers: [LiveAPI.Answer] = [.refuse("307 Temporary Redirect\r\nLocation: \(location)")]
            try await LiveAPI.withClient(answers, authorizer: .bearer("hunter2")) { helium, api, _ in
                let socket = try await helium.webSocket("/updates").redirects(.follow(limit: 1)).connect()
                #expect(await socket.close().wasClean)
                #expect(api.upgrades.map { WirePeer.field("Authorization", in: $0) } == ["Bearer hunter2"])
                #expect(other.upgrades.count == 1)
                let head = try #require(other.upgrades.first)
                #expect(
                    head.hasPrefix("GET /elsewhere HTTP/1.1\r\n") && WirePeer.field("Authorization", in: head) == nil
                )
            }
        }
    }

    @Test("a redirect is a refusal without a policy, and one too many is a ceiling")
    func policies() async throws {
        let redirect = LiveAPI.Answer.refuse("302 Found\r\nLocation: /api/updates")
        try await LiveAPI.withClient([redirect, redirect, redirect]) { helium, api, _ in
            let builder = helium.webSocket("/updates")
            let refusal = try await failure { try await builder.redirects(.never).connect() }
            #expect(refusal.kind == .unacceptableStatus && refusal.status == 302, "\(refusal)")
            let excess = try await failure { try await builder.redirects(.sameOrigin(limit: 1)).connect() }
            #expect(excess.kind == .ceilingExceeded && excess.ceiling == .redirects, "\(excess)")
            #expect(excess.status == 302 && api.upgrades.count == 3)
        }
    }

    // MARK: Observers

    @Test("an upgrade is reported like a call, once each, with status 101")
    func observed() async throws {
        let observations = RecordedObservations()
        var options = ClientOptions()
        options.observability = observations.observability
        try await LiveAPI.withClient([.accept()], options: options) { helium, api, _ in
            let socket = try await helium.webSocket("/shows/:id/updates").pathReplacements(["id": 7]).connect()
            let atOpening = observations.all
            #expect(await socket.close().wasClean)
            let all = observations.all
            #expect(all.lines == ["debug call started", "debug attempt finished 101", "debug call finished 101"])
            #expect(all.counts["helium.calls GET success"] == 1 && all.counts["helium.attempts GET 1xx"] == 1)
            #expect(all.counts.keys.allSatisfy { !$0.contains("failures") && !$0.contains("retries") })
            #expect(all.spans.map(\.operationName) == ["GET /shows/:id/updates", "GET /shows/:id/updates"])
            #expect(all.spans.map(\.kind) == [.internal, .client])
            #expect(all.spans.allSatisfy { $0.status == 101 && $0.ends == 1 && !$0.hasFailed })
            #expect(WirePeer.field("traceparent", in: api.upgrades.first ?? "") == "the trace")
            // The call has ended with the opening. What happens to the connection is not a call's.
            #expect(atOpening.lines == all.lines && atOpening.counts == all.counts)
        }
    }

    @Test("a refused upgrade is reported like a failed call, once")
    func observedRefusal() async throws {
        let observations = RecordedObservations()
        var options = ClientOptions()
        options.observability = observations.observability
        try await LiveAPI.withClient([.refuse("403 Forbidden")], options: options) { helium, _, _ in
            let error = try await failure { try await helium.webSocket("/updates").connect() }
            #expect(error.status == 403)
            let all = observations.all
            #expect(
                all.lines == ["debug call started", "debug attempt finished 403", "warning call failed 403"],
                "\(all.lines)"
            )
            #expect(all.counts["helium.failures unacceptableStatus"] == 1)
            #expect(all.counts["helium.attempts GET 4xx"] == 1)
            #expect(all.spans.allSatisfy { $0.status == 403 && $0.ends == 1 && $0.hasFailed })
        }
    }

    // MARK: Executors

    @Test("the WebSockets of a client share its executor, and those of another client and of none have others")
    func executors() async throws {
        try await LiveAPI.withClient([.accept(), .accept(), .accept()]) { helium, _, server in
            let first = try await helium.webSocket("/updates").connect()
            let second = try await helium.webSocket("/updates").connect()
            let alone = try await WebSocket.connect(to: server.url)
            let own = try #require(helium.executor)
            let executors = [first, second, alone].compactMap(\.executor)
            #expect(executors.map { $0 === own } == [true, true, false])
            // On the executor, calls and messages need no other thread.
            let text = try await withTaskExecutorPreference(own) {
                var messages = first.messages.makeAsyncIterator()
                return try await messages.next()?.text
            }
            #expect(text == "hello")
            for socket in [first, second, alone] { #expect(await socket.close().wasClean) }
        }
    }
}
