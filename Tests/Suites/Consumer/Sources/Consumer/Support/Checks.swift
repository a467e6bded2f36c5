import Foundation
import HeliumKit
import HeliumTesting

/// Runs each sample and checks what it did.
struct Checks {
    let folder: URL

    /// The samples by name, with what runs them. A run may cover several samples.
    var all: [(names: [String], run: @Sendable () async throws -> Void)] {
        [
            (["quick-start"], quickStart),
            (["configure", "device"], device),
            (["completion", "async"], calls),
            (["other-api"], choices),
            (["own-authorizer"], ownAuthorizer),
            (["models", "requests", "stored", "stream"], requests),
            (["errors"], errors),
            (["stores"], stores),
            (["retries"], retries),
            (["download", "events", "pages"], transfers),
            (["mock", "clock"], testing),
            (["faults"], faults),
        ]
    }

    private static func api() throws -> URL {
        guard let url = URL(string: "https://api.example.com") else { throw Failure("this is a URL") }
        return url
    }

    /// The sample's own configuration, with a fake in the network's place.
    private func configuration(_ transport: MockTransport) throws -> HeliumConfiguration {
        var (configuration, helium) = try MiddlewareSamples.configure(
            secret: Secret(String(repeating: "s", count: 32)),
            secretID: String(repeating: "1", count: 32),
            tokens: folder.appending(path: UUID().uuidString)
        )
        try expect(helium.device != nil, "a client of the middleware has a device")
        configuration.environment.transport = transport
        return configuration
    }
}

// MARK: The middleware

extension Checks {
    private func device() async throws {
        let transport = FakeMiddleware.transport()
        let printer = Printer()
        try await withHelium(try configuration(transport)) { helium in
            try await MiddlewareSamples(print: printer).device(helium)
        }
        try expect(transport.requests.map(\.method), equals: [.post], "one registration")
        try expect(printer.output.count, equals: 1, "lines printed")
        try expect(!printer.output.joined().contains(FakeMiddleware.token), "the token is not printed")
        try expect(transport.isShutDown, "withHelium closes the client")
    }

    private func calls() async throws {
        let transport = FakeMiddleware.transport()
        let printer = Printer()
        try await withHelium(try configuration(transport)) { helium in
            let samples = MiddlewareSamples(print: printer)
            await samples.completion(helium)
            try await samples.async(helium)
        }
        try expect(printer.output, equals: ["200 Popcorn", "Popcorn"], "what was printed")
        let path = "/7tv/mobile/v1/tvshows/1032808"
        let targets = ["/demo-auth/v1/devices", path + "?limit=100", path]
        try expect(transport.requests.map(\.url.target), equals: targets, "what was sent")
        try expect(transport.requests[1].timeouts.total ?? .zero <= .seconds(5), "the call's own limit")
    }

    private func requests() async throws {
        let transport = FakeMiddleware.transport()
        let printer = Printer()
        try await withHelium(try configuration(transport)) { helium in
            let samples = RequestSamples(print: printer)
            try await samples.bodies(helium, owner: nil)
            try await samples.stored(helium)
            try await samples.stream(helium)
        }
        let lines = ["hello 200 application/json; charset=utf-8 Tea 1", "4", "200 1000"]
        try expect(printer.output, equals: lines, "what was printed")
        let query = "selection=%7B_id%2Cname%7D&since=1970-01-01T00%3A00%3A00.000Z&tags=hot&tags=green"
        let targets = Set(transport.requests.map(\.url.target))
        try expect(targets.contains("/todo/7?" + query), "parameters are sorted, nil is left out: \(targets)")
        try expect(targets.contains("/todo?limit=10&selection=%7B_id%2Cname%7D&skip=10"), "a step changes a copy")
        let bodies = transport.requests.compactMap { $0.body.map { String(decoding: $0, as: UTF8.self) } }
        let expected = [#"{"name":"Tea"}"#, #"{"status":"checked"}"#, "name=kitchen&rank=3"]
        try expect(Array(bodies.dropFirst()), equals: expected, "the bodies after the registration's")
    }

    private func errors() async throws {
        let printer = Printer()
        try await withHelium(try configuration(FakeMiddleware.transport())) { helium in
            try await RequestSamples(print: printer).errors(helium)
        }
        try expect(printer.output, equals: ["400 [MinLengthUnderachieved (name in body)]"], "a refused value")

        let slow = Printer()
        let late = MockTransport { _ throws(TransportFailure) in
            throw TransportFailure(.timedOut, delivery: .notSent, message: "too slow", phase: .connect)
        }
        let helium = try Helium(baseURL: try Self.api(), environment: ClientEnvironment(transport: late))
        try await RequestSamples(print: slow).errors(helium)
        let lines = ["too slow, in phase connect", "no byte has left: safe to send again"]
        try expect(slow.output, equals: lines, "a time limit")
    }

    private func stores() async throws {
        let file = folder.appending(path: "stores.json")
        let registration = DeviceRegistration(token: FakeMiddleware.token)
        let key = TokenStoreKey(devicesURL: try Self.api(), secretID: "1")
        for store in try StoreSamples.stores(file: file, keyBytes: Array(0..<32)) {
            try await store.save(registration, for: key)
            try expect(try await store.load(key), equals: registration, "\(type(of: store)) keeps what it is given")
        }
        let sealed = try Data(contentsOf: file.appendingPathExtension("sealed"))
        try expect(sealed.range(of: Data(FakeMiddleware.token.utf8)) == nil, "the sealed file doesn't show the token")
    }
}

// MARK: Any other API

extension Checks {
    private func quickStart() async throws {
        let json = #"{"id": "42", "title": "Popcorn"}"#
        try await FaultServer.run { _ in
            [.answer(fields: ["Content-Type: application/json"], body: json)]
        } during: {
            server in
            guard let url = URL(string: server.url) else { throw Failure("the server's URL is none") }
            let show = try await show("42", from: url)
            try expect(show.title, equals: "Popcorn", "the decoded title")
            let lines = server.requests.map { $0.lines.first ?? "" }
            try expect(lines, equals: ["GET /tvshows/42?lang=en HTTP/1.1"], "the request lines")
        }
    }

    private func choices() async throws {
        let clients = try AuthorizerSamples.choices(api: try Self.api(), token: "token", key: "key")
        for client in clients {
            try expect(client.device == nil, "no device")
            await client.close()
        }
    }

    private func ownAuthorizer() async throws {
        actor Tokens: TokenSource {
            private var number = 1

            func token() -> String { "token-\(number)" }
            func replace(_ refused: String?) { if refused == "Bearer token-\(number)" { number += 1 } }
        }
        let transport = MockTransport { request in
            request.fields[.authorization] == "Bearer token-2" ? .json(#""ok""#) : .empty(status: 401)
        }
        let helium = try Helium(
            baseURL: try Self.api(),
            authorizer: RenewingAuthorizer(source: Tokens()),
            environment: ClientEnvironment(transport: transport)
        )
        let response = try await helium.get("/", returning: String.self).response()
        try expect(response.attempts.map(\.retryReason), equals: [.credentialReplaced, nil], "a second attempt")
    }

    private func faults() async throws {
        let printer = Printer()
        try await TestingSamples(print: printer).faults()
        try expect(printer.output, equals: ["connectionLost answered 3"], "what was printed")
    }

    private func testing() async throws {
        let printer = Printer()
        let samples = TestingSamples(print: printer)
        try await samples.mock(api: try Self.api())
        try expect(printer.output, equals: [#"["Tea"] ["GET"]"#], "what was printed")

        let transport = FakeMiddleware.transport()
        try await samples.clock(try configuration(transport), transport)
        let times = transport.requests.compactMap { $0.fields[.key].map { String($0.dropFirst(64).prefix(10)) } }
        try expect(times, equals: ["1455264007", "1455264067"], "the keys' time stamps")
    }
}
