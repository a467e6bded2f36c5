import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumKit
import MiddlewareServer
import Synchronization
import WireSupport

/// The server of a test: it registers devices, and answers upgrade requests as the test says.
final class LiveAPI: Sendable {
    /// The response to an upgrade request.
    enum Answer: Sendable {
        /// Accepts the request with these additional lines, sends `hello`, and closes when the client does.
        case accept(fields: String = "")
        /// Accepts the request, sends `hello`, and closes.
        case acceptAndClose
        /// Responds with this status line and body.
        case refuse(String, body: String = "")
        /// Responds with this status line and the beginning of a body that never ends, and then runs the closure.
        case refuseSlowly(String, @Sendable () async -> Void)
        /// Tells the test, and never responds.
        case ignore(@Sendable () async -> Void)
    }

    private struct State {
        var answers: [Answer]
        var upgrades: [String] = []
        var devices = 0
    }

    private let state: Guarded<State>

    init(_ answers: [Answer]) { state = Guarded(State(answers: answers)) }

    /// The heads of the upgrade requests.
    var upgrades: [String] { state.withLock { $0.upgrades } }

    /// The number of registered devices.
    var devices: Int { state.withLock { $0.devices } }

    /// The id of a registered device, counted from 1.
    static func device(_ number: Int) -> String { String(repeating: "a", count: 31) + String(number) }

    func serve(_ peer: WirePeer) async throws {
        let head = try await peer.readHead()
        if head.hasPrefix("POST ") { return try await register(peer, head) }
        let answer = state.withLock { state -> Answer? in
            state.upgrades.append(head)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        switch answer {
        case nil: break
        case .accept(let fields):
            try await accept(peer, head, fields)
            try await peer.answerClose()
        case .acceptAndClose:
            try await accept(peer, head, "")
            try await peer.sendClose(1000)
            _ = try await peer.skipFrame()
        case .refuse(let status, let body):
            try await peer.write(
                "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
            )
        case .refuseSlowly(let status, let tell):
            try await peer.flush("HTTP/1.1 \(status)\r\nContent-Length: 100\r\n\r\n{")
            await tell()
            try await peer.readToEnd()
        case .ignore(let tell):
            await tell()
            try await peer.readToEnd()
        }
    }

    private func accept(_ peer: WirePeer, _ head: String, _ fields: String) async throws {
        let key = WirePeer.field("Sec-WebSocket-Key", in: head) ?? ""
        try await peer.write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(WirePeer.accept(key))\r\n\(fields)\r\n"
        )
        try await peer.send(text: "hello")
    }

    private func register(_ peer: WirePeer, _ head: String) async throws {
        _ = try await peer.read(WirePeer.field("Content-Length", in: head).flatMap(Int.init) ?? 0)
        let number = state.withLock { state in
            state.devices += 1
            return state.devices
        }
        let body = #"{"status":200,"response":{"id":"\#(Self.device(number))"}}"#
        try await peer.write(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\r\n\(body)"
        )
    }
}

extension LiveAPI {
    static let secret = "a secret of the tests"
    static let secretID = String(repeating: "b", count: 32)

    /// Returns whether the key of an upgrade request has the signature that the middleware expects from a device.
    static func isSigned(_ head: String, by device: String) -> Bool {
        guard let key = WirePeer.field("key", in: head), key.count == 138,
            let target = head.split(separator: " ").dropFirst().first, let host = WirePeer.field("Host", in: head)
        else { return false }
        let request = SignedRequest(
            method: "GET",
            scheme: "http",
            hostHeader: host,
            requestTarget: String(target),
            bodyText: ""
        )
        let timestamp = String(key.dropFirst(64).prefix(10))
        return key.hasPrefix(device + secretID)
            && key.suffix(64) == request.signature(deviceID: device, secret: secret, timestamp: timestamp)
    }

    /// Runs `body` with a signed client of a server that gives these answers.
    static func withSignedClient(
        _ answers: [Answer],
        _ body: (Helium, LiveAPI) async throws -> Void
    ) async throws {
        try await run(answers) { server, api async throws in
            let base = server.url("http://127.0.0.1:\(server.port)/api")
            let configuration = HeliumConfiguration(
                secret: Secret(secret),
                secretID: secretID,
                baseURL: base,
                device: DeviceConfiguration(
                    url: server.url("http://127.0.0.1:\(server.port)/devices"),
                    info: DeviceInfo(culture: "en-GB")
                )
            )
            try await withHelium(configuration) { try await body($0, api) }
        }
    }

    /// Runs `body` with a client of a server that gives these answers.
    static func withClient(
        _ answers: [Answer],
        authorizer: some Authorizer = .none,
        options: ClientOptions = ClientOptions(),
        environment: ClientEnvironment = ClientEnvironment(),
        _ body: (Helium, LiveAPI, WireServer) async throws -> Void
    ) async throws {
        try await run(answers) { server, api async throws in
            let helium = try Helium(
                baseURL: server.url("http://127.0.0.1:\(server.port)/api"),
                authorizer: authorizer,
                options: options,
                environment: environment
            )
            do {
                try await body(helium, api, server)
                await helium.close()
            } catch {
                await helium.close()
                throw error
            }
        }
    }

    private static func run(
        _ answers: [Answer],
        _ body: (WireServer, LiveAPI) async throws -> Void
    ) async throws {
        let api = LiveAPI(answers)
        try await WireServer.run { peer in
            try await api.serve(peer)
        } _: { server async throws in
            try await body(server, api)
        }
    }
}
