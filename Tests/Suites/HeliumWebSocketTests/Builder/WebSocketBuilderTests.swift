import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumKit
import HeliumServerTesting
import HeliumTesting
import HeliumWebSocket
import Synchronization
import Testing
import WireSupport

@Suite("WebSockets of a client", .timeLimit(.minutes(5)))
struct WebSocketBuilderTests {
    private static let unknownDevice = LiveAPI.Answer.refuse(
        "401 Unauthorized",
        body: #"{"status":401,"errors":[{"code":"DeviceIdInvalid","msg":"no"}]}"#
    )

    private func target(of head: String?) -> Substring? { head?.split(separator: " ").dropFirst().first }

    private func expectHello(_ socket: WebSocket) async throws {
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("hello"))
    }

    // MARK: Requests

    @Test("the upgrade request is signed as it is sent, with its path, parameters and fields")
    func signed() async throws {
        try await LiveAPI.withSignedClient([.accept(fields: "Sec-WebSocket-Protocol: v2\r\n")]) { helium, api in
            let socket = try await helium.webSocket("/shows/:id/updates")
                .pathReplacements(["id": "a b/c"])
                .parameters(["since": 7, "name": "Äpfel & Birnen"])
                .fields(["X-Trace": "t"])
                .field(.acceptLanguage, "en")
                .subprotocols(["v2", "v1"])
                .connect()
            try await expectHello(socket)
            #expect(socket.subprotocol == "v2")
            #expect(await socket.close().wasClean)
            let head = try #require(api.upgrades.first)
            #expect(target(of: head) == "/api/shows/a%20b%2Fc/updates?name=%C3%84pfel%20%26%20Birnen&since=7")
            #expect(LiveAPI.isSigned(head, by: LiveAPI.device(1)))
            #expect(WirePeer.field("Sec-WebSocket-Protocol", in: head) == "v2, v1")
            #expect(WirePeer.field("X-Trace", in: head) == "t")
            #expect(WirePeer.field("Accept-Language", in: head) == "en")
            #expect(WirePeer.field("User-Agent", in: head)?.contains("Helium") == true)
            #expect(api.devices == 1 && api.upgrades.count == 1)
        }
    }

    @Test("a default field that is removed is not sent, and without a client there is a user agent")
    func removedField() async throws {
        try await LiveAPI.withClient([.accept(), .accept()]) { helium, api, server in
            let plain = try await helium.webSocket("/updates").field(.userAgent, nil).connect()
            #expect(await plain.close().wasClean)
            let alone = try await WebSocket.connect(to: server.url)
            #expect(await alone.close().wasClean)
            let agents = api.upgrades.map { WirePeer.field("User-Agent", in: $0) }
            #expect(agents == [nil, "Helium/\(HeliumVersion.current)"])
        }
    }

    @Test("samples of a client's WebSocket: its messages, and its request")
    func samples() async throws {
        try await LiveAPI.withClient([.acceptAndClose, .accept(fields: "Sec-WebSocket-Protocol: updates.v2\r\n")]) {
            helium,
            api,
            _ in
            try await messages(helium)
            try await request(helium)
            #expect(target(of: api.upgrades.first) == "/api/shows/42/updates")
            #expect(target(of: api.upgrades.last) == "/api/shows/42/updates?since=1700000000")
        }
    }

    private func messages(_ helium: Helium) async throws {
        // sample
        let socket = try await helium.webSocket("/shows/:id/updates").pathReplacements(["id": 42]).connect()
        for try await message in socket.messages {
            print(message.text ?? "bytes")
        }
        // end of sample
        #expect(socket.closure?.code == .normal)
    }

    private func request(_ helium: Helium) async throws {
        // sample
        let socket = try await helium.webSocket("/shows/:id/updates")
            .pathReplacements(["id": 42])
            .parameters(["since": 1_700_000_000])
            .subprotocols(["updates.v2"])
            .connect()
        // end of sample
        #expect(socket.subprotocol == "updates.v2")
        #expect(await socket.close().wasClean)
    }

    /// Compiled, not run.
    private func supervise(_ helium: Helium, _ handle: @escaping @Sendable (WebSocketMessage) -> Void) async throws {
        // sample
        let live = SupervisedConnection {
            try await helium.webSocket("/updates").connect()
        } use: { socket, confirm in
            for try await message in socket.messages {
                confirm()  // the connection works
                handle(message)
            }
        }
        try await live.run()  // until the task is cancelled
        // end of sample
    }

    @Test("an invalid request fails before any I/O, also before the registration")
    func invalid() async throws {
        try await LiveAPI.withSignedClient([]) { helium, api in
            let builder = helium.webSocket("/updates")
            for invalid in [
                builder.field(.upgrade, "other"), builder.fields(["Sec-WebSocket-Key": "x"]),
                builder.fields(["Connection": "close"]), builder.subprotocols(["a b"]),
                builder.pathReplacements(["id": 1]), helium.webSocket("/updates/:id"),
                helium.webSocket("ws://127.0.0.1/updates"),
            ] {
                let error = try await failure { try await invalid.connect() }
                #expect(error.kind == .invalidRequest && error.delivery == .notSent, "\(error)")
            }
            #expect(api.devices == 0 && api.upgrades.isEmpty)
        }
    }

    @Test("a client with another transport has no WebSockets, and the error says why")
    func otherTransport() async throws {
        let environment = ClientEnvironment(transport: MockTransport(answers: [.empty()]))
        try await LiveAPI.withClient([], environment: environment) { helium, _, _ in
            let error = try await failure { try await helium.webSocket("/updates").connect() }
            #expect(error.kind == .invalidConfiguration && error.message.contains("MockTransport"), "\(error)")
        }
    }

    // MARK: Authorization

    @Test("a device that the server does not know is registered again, once, and the request is accepted")
    func registeredAgain() async throws {
        try await LiveAPI.withSignedClient([Self.unknownDevice, .accept()]) { helium, api in
            let socket = try await helium.webSocket("/updates").connect()
            try await expectHello(socket)
            #expect(await socket.close().wasClean)
            #expect(api.devices == 2 && api.upgrades.count == 2)
            #expect(LiveAPI.isSigned(api.upgrades[0], by: LiveAPI.device(1)))
            #expect(LiveAPI.isSigned(api.upgrades[1], by: LiveAPI.device(2)))
        }
    }

    @Test("a request that is rejected twice fails with the response")
    func rejectedTwice() async throws {
        try await LiveAPI.withSignedClient([Self.unknownDevice, Self.unknownDevice]) { helium, api in
            let error = try await failure { try await helium.webSocket("/updates").retry(.never).connect() }
            #expect(error.kind == .unacceptableStatus && error.status == 401 && error.delivery == .answered)
            #expect(error.serverErrors.map(\.code) == ["DeviceIdInvalid"])
            #expect(error.attempts.count == 2 && error.attempts.first?.retryReason == .credentialReplaced)
            #expect(api.devices == 2 && api.upgrades.count == 2)
            // No key, secret or token of a device is shown.
            let text = "\(error) \(String(reflecting: error))"
            #expect(!text.contains(LiveAPI.secret) && !text.contains(LiveAPI.device(1)))
        }
    }

    @Test("a bearer token that is rejected is refreshed, and the request is sent again with the new one")
    func refreshedBearer() async throws {
        let authorizer = try RefreshingBearerAuthorizer(initial: BearerCredential(token: "old")) { _ in
            BearerCredential(token: "new")
        }
        try await LiveAPI.withClient([.refuse("401 Unauthorized"), .accept()], authorizer: authorizer) {
            helium,
            api,
            _ in
            let socket = try await helium.webSocket("/updates").connect()
            try await expectHello(socket)
            #expect(await socket.close().wasClean)
            #expect(
                api.upgrades.map { WirePeer.field("Authorization", in: $0) } == ["Bearer old", "Bearer new"]
            )
        }
    }

    // MARK: Calls

    @Test("a refusal has its status, its fields and the beginning of its body")
    func refused() async throws {
        let body = String(repeating: "no ", count: 30_000)
        try await LiveAPI.withClient([.refuse("403 Forbidden\r\nX-Reason: closed", body: body)]) { helium, api, _ in
            let error = try await failure { try await helium.webSocket("/updates?key=hunter2").connect() }
            #expect(error.kind == .unacceptableStatus && error.status == 403 && error.delivery == .answered)
            #expect(error.head?[HTTPField.Name("X-Reason") ?? .accept] == "closed")
            #expect(error.body == Data(body.utf8.prefix(64 << 10)))
            #expect(error.attempts.count == 1 && error.request.url.hasSuffix("/api/updates?key=***"))
            #expect(api.upgrades.count == 1)
        }
    }

    @Test("a server that is unavailable is asked again, if the policy repeats a GET", arguments: [1, 2])
    func retried(attempts: Int) async throws {
        var policy = RetryPolicy.attempts(attempts)
        policy.baseDelay = .zero
        try await LiveAPI.withClient([.refuse("503 Service Unavailable"), .accept()]) { [policy] helium, api, _ in
            let builder = helium.webSocket("/updates").retry(policy)
            if attempts == 1 {
                let error = try await failure { try await builder.connect() }
                #expect(error.status == 503 && error.retryRefusal == .attemptsSpent)
            } else {
                let socket = try await builder.connect()
                #expect(await socket.close().wasClean)
            }
            #expect(api.upgrades.count == attempts)
        }
    }

    @Test("an open WebSocket takes no place of the client's calls")
    func concurrency() async throws {
        var options = ClientOptions()
        options.concurrency.maximumConcurrent = 1
        try await LiveAPI.withClient([.accept(), .accept()], options: options) { helium, _, _ in
            let first = try await helium.webSocket("/updates").connect()
            let second = try await helium.webSocket("/updates").connect()
            #expect(await helium.statistics.runningCalls == 0)
            try await expectHello(second)
            #expect(await first.close().wasClean)
            #expect(await second.close().wasClean)
        }
    }

    @Test("a response of an interceptor is no WebSocket")
    func interceptor() async throws {
        var options = ClientOptions()
        options.interceptors = [
            ClosureInterceptor { _, _, _ in
                TransportResponse(head: ResponseHead(status: 101, fields: [:]), body: .collected(Data()))
            }
        ]
        try await LiveAPI.withClient([], options: options) { helium, _, server in
            let error = try await failure { try await helium.webSocket("/updates").connect() }
            #expect(error.kind == .malformedResponse && error.message.contains("interceptor"))
            #expect(server.accepted == 0)
        }
    }

    // MARK: Ends

    @Test("the deadline of the call ends connecting, and closes what was opened")
    func deadline() async throws {
        let clock = TestClock()
        let answer = LiveAPI.Answer.ignore { clock.advance(by: .seconds(3)) }
        try await LiveAPI.withClient([answer], environment: ClientEnvironment(clock: clock)) { helium, _, server in
            let error = try await failure { try await helium.webSocket("/updates").timeout(.seconds(3)).connect() }
            #expect(error.kind == .timedOut && error.phase == .total && error.delivery == .maybeSent, "\(error)")
            await server.waitForEnds()
        }
    }

    @Test("connecting is cancelled at once, and closes what was opened")
    func cancelled() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        try await LiveAPI.withClient([.ignore { continuation.finish() }]) { helium, _, server in
            let connecting = Task { try await helium.webSocket("/updates").connect() }
            for await _ in asked {}
            connecting.cancel()
            await #expect(throws: CancellationError.self) { try await connecting.value }
            await server.waitForEnds()
        }
    }

    @Test("closing the client ends its WebSockets and those that are being connected")
    func closedClient() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        try await LiveAPI.withClient([.accept(), .ignore { continuation.finish() }]) { helium, _, server in
            let socket = try await helium.webSocket("/updates").connect()
            try await expectHello(socket)
            let connecting = Task { try await helium.webSocket("/updates").connect() }
            for await _ in asked {}
            await helium.close()
            let interrupted = try await failure { try await connecting.value }
            #expect(interrupted.kind == .clientClosed && interrupted.delivery == .maybeSent, "\(interrupted)")
            let lost = try await failure { try await socket.texts() }
            #expect(lost.kind == .clientClosed, "\(lost)")
            let late = try await failure { try await helium.webSocket("/updates").connect() }
            #expect(late.kind == .clientClosed && late.delivery == .notSent)
            await server.waitForEnds(2)
        }
    }

    @Test("a WebSocket outlives a client that is released, and runs on its thread")
    func executor() async throws {
        let api = LiveAPI([.accept()])
        try await WireServer.run { peer in
            try await api.serve(peer)
        } _: { server async throws in
            let socket: WebSocket
            do {
                let helium = try Helium(baseURL: server.url("http://127.0.0.1:\(server.port)"))
                socket = try await helium.webSocket("/updates").connect()
                let (own, clients) = (try #require(socket.executor), try #require(helium.executor))
                #expect(own === clients)
            }
            try await expectHello(socket)
            #expect(await socket.close().wasClean)
        }
    }

    // MARK: TLS

    @Test("a WebSocket trusts the authorities of its client, and no others")
    func authorities() async throws {
        try await withTLSServer { server, certificates async throws in
            let base = server.url("https://localhost:\(server.port)")
            var connection = CurlTransport.Configuration()
            connection.certificateAuthorityFile = certificates.authorityPath
            let trusting = try Helium(baseURL: base, connection: connection)
            let socket = try await trusting.webSocket("/updates").connect()
            try await expectHello(socket)
            #expect(await socket.close().wasClean)
            await trusting.close()

            let other = try Helium(baseURL: base)
            let error = try await failure { try await other.webSocket("/updates").connect() }
            #expect(error.kind == .tlsFailed && error.delivery == .notSent, "\(error)")
            await other.close()
        }
    }
}
