import Foundation
import GRDB
import HeliumDatabase
import HeliumServer
import HeliumServerTesting
import Logging
import ServerSupport
import ServiceLifecycle
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Start and stop of the server", .timeLimit(.minutes(5)))
struct LifecycleTests {
    @Test("the ready line is one line of JSON with the documented members")
    func readyLine() async throws {
        try await withEmbeddedServer { running in
            let line = try running.ready.jsonLine()
            let port = try #require(running.ready.http.port)
            let root = "http://127.0.0.1:\(port)"
            let cosm = running.ready.cosm
            let appNet = running.ready.appNet
            let users = appNet.users.map { #"{"token":"\#($0.token)","username":"\#($0.username)"}"# }
            #expect(
                line == #"{"appnet":{"appToken":"\#(appNet.appToken)","clientID":"helium","#
                    + #""clientSecret":"\#(appNet.clientSecret)","oauth":"\#(root)/oauth","pnut":"\#(root)/v1","root":"\#(root)/stream/0","#
                    + #""userStream":"\#(appNet.userStream)","users":[\#(users.joined(separator: ","))]},"#
                    + #""conair":"\#(root)/data/","#
                    + #""cosm":{"base":"\#(root)/v2","key":"\#(cosm.key)","tcp":"\#(cosm.tcp)","#
                    + #""webSocket":"\#(cosm.webSocket)"},"http":"\#(root)","#
                    + #""jetstream":{"scopes":["Canvas"],"webSocket":"\#(running.ready.jetstream.webSocket)"},"middleware":{"base":"\#(root)/demo-auth/v1","#
                    + #""devices":"\#(root)/demo-auth/v1/devices","secret":"74168c7a1868ddeee3355fab9489914b","#
                    + #""secretID":"91205b43c5144068ee9979b093925f77"}}"#
            )
            let decoded = try JSONDecoder().decode(ReadyInformation.self, from: Data(line.utf8))
            #expect(decoded == running.ready)
            #expect(appNet.users.map(\.username) == ["alice", "bob"])
            #expect(appNet.userStream.absoluteString.wholeMatch(of: /ws:\/\/127\.0\.0\.1:\d+\/stream\/user/) != nil)
            #expect(cosm.tcp.wholeMatch(of: /127\.0\.0\.1:\d+/) != nil)
            #expect(cosm.webSocket.absoluteString.wholeMatch(of: /ws:\/\/127\.0\.0\.1:\d+/) != nil)
        }
    }

    @Test("no description of the server shows a secret or a static key")
    func hidesSecrets() async throws {
        try await withEmbeddedServer { running in
            var dumped = ""
            dump(running.ready, to: &dumped)
            dump(running.server.configuration, to: &dumped)
            let printed =
                dumped
                + "\(running.ready)\(running.ready.middleware)\(running.ready.cosm)\(running.server.configuration)"
            _ = try await Peer(running: running).register()
            #expect(!printed.contains(MiddlewareSecret.publicExample.secret))
            #expect(!printed.contains(StaticAccessKey.publicExample.value))
            #expect(!printed.contains(running.ready.cosm.key))
            let appNet = running.ready.appNet
            for secret in appNet.users.map(\.token) + [appNet.appToken, appNet.clientSecret, "alice-password"] {
                #expect(!printed.contains(secret))
            }
            #expect(printed.contains(MiddlewareSecret.publicExample.id))
        }
    }

    @Test("IPv6 addresses in the server's URLs are in brackets", .enabled(if: hasIPv6))
    func bracketsIPv6() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.host = "::1"
        let host = try await withEmbeddedServer(configuration) { $0.ready.http.absoluteString }
        #expect(host.wholeMatch(of: /http:\/\/\[::1\]:\d+/) != nil)
    }

    static let hasIPv6: Bool = FileManager.default.fileExists(atPath: "/proc/net/if_inet6")

    @Test("the server stops although a request does not end")
    func stopsWhileBusy() async throws {
        try await withTemporaryFolder { folder in
            var configuration = EmbeddedServerConfiguration()
            configuration.store = folder.appendingPathComponent("s.sqlite").path
            configuration.limits.shutdown = .milliseconds(50)
            // Another call that keeps the store for much longer than the server waits for its end.
            let gate = DispatchSemaphore(value: 0)
            defer { gate.signal() }
            let (starts, start) = AsyncStream<Void>.makeStream()
            let (other, begin) = try await withEmbeddedServer(configuration) { running in
                let database = running.cosm.state.store.access.database
                let other = Task {
                    try await database.write { _ in
                        start.finish()
                        _ = gate.wait(timeout: .now() + 240)
                    }
                }
                for await _ in starts {}
                let connection = try RawConnection(port: Peer(running: running).port)
                let fields = [("X-ApiKey", running.ready.cosm.key)]
                let body = Array(#"{"title":"Shed"}"#.utf8)
                try await connection.send(Peer.bytes("POST", "/v2/feeds", host: "x", fields: fields, body: body))
                try await eventually { running.server.bodies.held == body.count }
                return (other, ContinuousClock.now)
            }
            #expect(ContinuousClock.now - begin < .seconds(60))
            gate.signal()
            try await other.value
        }
    }

    @Test("a stopped server does not listen, and closes idle connections")
    func stops() async throws {
        let (port, connection) = try await withEmbeddedServer(try .onLastingPort()) { running in
            let peer = Peer(running: running)
            let connection = try RawConnection(port: peer.port)
            try await connection.send(Peer.bytes("GET", "/demo-auth/v1/services", host: peer.host))
            #expect(try await connection.answer().status == 200)
            #expect(running.server.connectionCount == 1)
            return (peer.port, connection)
        }
        #expect(try await connection.readToEnd() == [])
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: port) }
    }

    @Test("a request in progress gets its response before the server stops")
    func isGraceful() async throws {
        let connection = try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            running.faults.inject(.delay(.milliseconds(300)))
            let connection = try RawConnection(port: peer.port)
            try await connection.send(Peer.bytes("GET", "/demo-auth/v1/services", host: peer.host))
            try await eventually { running.requests.count > 0 }
            return connection
        }
        #expect(try await connection.answer().status == 200)
    }

    @Test("a request that does not end in time does not keep the server from stopping", arguments: [false, true])
    func stopsInTime(isHTTP2: Bool) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.shutdown = .milliseconds(100)
        configuration.usesPriorKnowledgeHTTP2 = isHTTP2
        let start = ContinuousClock.now
        let connection = try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            running.faults.inject(.delay(.seconds(300)))
            let connection = try RawConnection(port: peer.port)
            try await connection.send(
                isHTTP2
                    ? HTTP2Frames.requests("GET", ["/"], scheme: "http", authority: peer.host)
                    : Peer.bytes("GET", "/", host: peer.host)
            )
            try await eventually { running.requests.count > 0 }
            return connection
        }
        #expect(ContinuousClock.now - start < .seconds(60))
        _ = try await connection.readToEnd()
    }

    @Test("cancelling the task of a server ends it without an error")
    func endsOnCancellation() async throws {
        let server = try EmbeddedServer()
        let running = Task { try await server.run() }
        _ = try await server.ready()
        running.cancel()
        try await running.value
    }

    @Test("a service group runs and stops the server")
    func runsInServiceGroup() async throws {
        let server = try EmbeddedServer(try .onLastingPort())
        let group = ServiceGroup(
            configuration: .init(services: [server], logger: Logger(label: "x") { _ in SwiftLogNoOpLogHandler() })
        )
        let running = Task { try await group.run() }
        let ready = try await server.ready()
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: ready.http.port ?? 0) }
    }

    @Test("a server runs only once")
    func runsOnce() async throws {
        try await withEmbeddedServer { running in
            let error = await #expect(throws: EmbeddedServerError.self) { try await running.server.run() }
            #expect(error?.kind == .notRunning)
            _ = try await Peer(running: running).register()
        }
    }

    @Test("a port in use is an error of running the server and of waiting for it")
    func portTaken() async throws {
        try await withEmbeddedServer { first in
            var configuration = EmbeddedServerConfiguration()
            configuration.port = try #require(first.ready.http.port)
            let server = try EmbeddedServer(configuration)
            async let waiting = server.ready()
            let failure = await #expect(throws: EmbeddedServerError.self) { try await server.run() }
            #expect(failure?.kind == .cannotListen)
            do {
                _ = try await waiting
                Issue.record("ready on a taken port")
            } catch let error as EmbeddedServerError {
                #expect(error.kind == .cannotListen)
            }
        }
    }

    @Test("waiting for a server that never runs can be cancelled")
    func cancelsWaiting() async throws {
        let server = try EmbeddedServer()
        let waiting = Task { try await server.ready() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("an error of a test's closure is thrown after the server stopped")
    func passesErrorsOn() async throws {
        struct Mistake: Error {}
        var port = 0
        await #expect(throws: Mistake.self) {
            try await withEmbeddedServer(try .onLastingPort()) { running in
                port = running.ready.http.port ?? 0
                throw Mistake()
            }
        }
        let freed = port
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: freed) }
    }

    @Test("an invalid configuration of the server is refused with the reason")
    func refusesConfigurations() {
        let changes: [(inout EmbeddedServerConfiguration) -> Void] = [
            { $0.port = 65536 }, { $0.port = -1 }, { $0.host = "" }, { $0.limits.connections = 0 },
            { $0.limits.idle = .zero }, { $0.middleware.secrets = [] },
            { $0.middleware.secrets = [MiddlewareSecret(id: "short", secret: "short")] },
            { $0.middleware.prefix = "demo" }, { $0.middleware.prefix = "/demo/" },
            { $0.middleware.rateLimit = MiddlewareRateLimit(requests: 0, minutes: 1) },
            { $0.middleware.rateLimit = MiddlewareRateLimit(requests: 1, minutes: .max) },
            { $0.middleware.staticKeys = [StaticAccessKey("short")] },
        ]
        for change in changes {
            var configuration = EmbeddedServerConfiguration()
            change(&configuration)
            let error = #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
            #expect(error?.kind == .invalidConfiguration)
        }
    }
}

extension EmbeddedServerConfiguration {
    /// A port that no other process gets after the server.
    fileprivate static func onLastingPort() throws -> Self {
        var configuration = Self()
        configuration.port = try LastingPort.next()
        return configuration
    }
}
