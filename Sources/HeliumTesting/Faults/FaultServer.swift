import Foundation
import HeliumConcurrency
import HeliumCore
import Synchronization

/// A server on a loopback socket that misbehaves as scripted, in ways in which a real HTTP server cannot.
///
/// ```swift
/// let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
/// try await FaultServer.run { _ in
///     [.send(half), .reset]
/// } during: { server in
///     await #expect(throws: TransportFailure.self) { try await fetch(server.url) }
///     #expect(server.requests.count == 1)
/// }
/// ```
///
/// It reads complete HTTP/1.1 requests (a head, and a body announced by `Content-Length` or sent in chunks), asks the
/// script for the actions on each request, and keeps the requests. Instead of a script it accepts a ``Plan`` of named
/// ``Fault``s. The server ends with the closure: its sockets are closed and its threads have ended.
public final class FaultServer: Sendable {
    /// Returns the actions for a request.
    public typealias Script = @Sendable (ReceivedRequest) -> [Action]

    /// The loopback address that the server listens on.
    public enum Family: Sendable {
        /// 127.0.0.1
        case ipv4
        /// ::1
        case ipv6
    }

    /// The number of requests kept in ``requests``. Later requests get responses and are counted, but not kept.
    public static let keptRequestLimit = 10_000

    /// The maximum size of a request in bytes. The server closes the connection when a request is larger.
    public static let requestByteLimit = 64 << 20

    /// The maximum number of simultaneous connections. The server closes further connections at once.
    public static let connectionLimit = 512

    private struct State {
        var requests: [ReceivedRequest] = []
        var requestCount = 0
        var connectionCount = 0
        var clientCloseCount = 0
        var sentByteCount = 0
        var receivedByteCount = 0
        var events: [Event] = []
        var openCount = 0
        var threadCount = 0
    }

    /// The port the server listens on.
    public let port: Int

    /// The URL `http://127.0.0.1:PORT`, or `http://[::1]:PORT` for IPv6, without a trailing slash.
    public let url: String

    let stopSignal: StopSignal
    let behavior: Behavior
    private let greeting: [Action]
    private let start = ContinuousClock.now
    private let listener: Int32
    private let state = Guarded(State())

    enum Behavior: Sendable {
        case script(Script)
        case faults(SharedSchedule)
    }

    private init(family: Family, greeting: [Action], behavior: Behavior) throws {
        let socket = try LoopbackSocket(family: family)
        try socket.listen()
        listener = socket.descriptor
        port = socket.port
        url = "http://\(family == .ipv4 ? "127.0.0.1" : "[::1]"):\(socket.port)"
        self.greeting = greeting
        self.behavior = behavior
        stopSignal = try StopSignal()
    }

    /// Runs a server while `body` runs.
    ///
    /// - Parameters:
    ///   - family: The loopback address. Default: IPv4.
    ///   - greeting: The actions on a new connection before a request is read. Default: none.
    ///   - script: Returns the actions for each request.
    ///   - isolation: The caller's actor, on which `body` runs. Default: the isolation of the call.
    ///   - body: A closure that receives the running server.
    /// - Throws: The error that `body` throws, or a `POSIXError` if a socket cannot be created.
    public static func run<Result>(
        family: Family = .ipv4,
        greeting: [Action] = [],
        _ script: @escaping Script,
        isolation: isolated (any Actor)? = #isolation,
        during body: (FaultServer) async throws -> Result
    ) async throws -> Result {
        let server = try FaultServer(family: family, greeting: greeting, behavior: .script(script))
        return try await server.serve(isolation: isolation, during: body)
    }

    /// Runs a server that injects named faults while `body` runs.
    ///
    /// ```swift
    /// try await FaultServer.run(faults: [.resetBeforeHeaders, .unavailable(retryAfter: .seconds(1)), .healthy]) {
    ///     server in
    ///     let request = TransportRequest(method: .get, url: try RequestURL(server.url + "/export"))
    ///     let failure = await #expect(throws: TransportFailure.self) { try await transport.execute(request) }
    ///     #expect(failure?.kind == .connectionLost && failure?.delivery == .maybeSent)
    ///     #expect(try await transport.execute(request).head.status == 503)
    ///     #expect(try await transport.execute(request).head.status == 200)
    ///     #expect(server.requests.map(\.path) == ["/export", "/export", "/export"])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - faults: The assignment of faults to requests.
    ///   - family: The loopback address. Default: IPv4.
    ///   - isolation: The caller's actor, on which `body` runs. Default: the isolation of the call.
    ///   - body: A closure that receives the running server.
    /// - Throws: The error that `body` throws, or a `POSIXError` if a socket cannot be created.
    public static func run<Result>(
        faults: Plan,
        family: Family = .ipv4,
        isolation: isolated (any Actor)? = #isolation,
        during body: (FaultServer) async throws -> Result
    ) async throws -> Result {
        let behavior = Behavior.faults(SharedSchedule(FaultSchedule(faults)))
        let server = try FaultServer(family: family, greeting: [], behavior: behavior)
        return try await server.serve(isolation: isolation, during: body)
    }

    private func serve<Result>(
        isolation: isolated (any Actor)?,
        during body: (FaultServer) async throws -> Result
    ) async throws -> Result {
        let server = self
        server.startThread { server.acceptConnections() }
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}

// MARK: Observed traffic

extension FaultServer {
    /// The requests that have arrived, in their order. At most ``keptRequestLimit`` are kept.
    public var requests: [ReceivedRequest] { state.withLock { $0.requests } }

    /// The number of requests that have arrived.
    public var requestCount: Int { state.withLock { $0.requestCount } }

    /// The number of connections that were accepted.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// The number of open connections.
    public var openConnectionCount: Int { state.withLock { $0.openCount } }

    /// The number of connections that the client closed. The server notices a close when it reads, writes or waits.
    public var clientCloseCount: Int { state.withLock { $0.clientCloseCount } }

    /// The number of bytes that the system has accepted from the server. It does not grow while the client does not
    /// read.
    public var sentByteCount: Int { state.withLock { $0.sentByteCount } }

    /// The number of bytes that have arrived, including those of unfinished requests.
    public var receivedByteCount: Int { state.withLock { $0.receivedByteCount } }

    /// The events at the server, in their order. The first ``keptRequestLimit`` events are kept.
    public var events: [Event] { state.withLock { $0.events } }

    /// Waits until `condition` returns `true`. Returns `false` if it does not within the limit. A limit of more than a
    /// century counts as a century.
    public func wait(upTo limit: Duration = .seconds(60), until condition: (FaultServer) -> Bool) async -> Bool {
        let end = ContinuousClock.now + limit.withinCentury
        while !condition(self) {
            guard ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(2))) != nil else {
                return condition(self)
            }
        }
        return true
    }
}

// MARK: Threads

extension FaultServer {
    private func startThread(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.threadCount += 1 }
        let thread = Thread {
            body()
            self.state.withLock { $0.threadCount -= 1 }
        }
        thread.stackSize = 256 << 10
        thread.start()
    }

    private func acceptConnections() {
        defer { _ = close(listener) }
        while stopSignal.waitFor(listener, events: Int16(POLLIN), upTo: nil) == .ready {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { continue }
            let number = state.withLock { state -> Int? in
                state.connectionCount += 1
                guard state.openCount < FaultServer.connectionLimit else { return nil }
                state.openCount += 1
                return state.connectionCount
            }
            guard let number else {
                _ = close(descriptor)
                continue
            }
            note(.connected, on: number)
            startThread {
                var connection = FaultConnection(server: self, descriptor: descriptor, number: number)
                connection.run()
                self.state.withLock { $0.openCount -= 1 }
            }
        }
    }

    /// Returns the actions for a new connection.
    func greeting(on connection: Int) -> [Action] {
        guard case .faults(let schedule) = behavior else { return greeting }
        guard let fault = schedule.withLock({ $0.fault(forConnection: connection) }) else { return [] }
        note(.fault(fault.name), on: connection)
        return fault.greeting
    }

    func note(_ what: Event.What, on connection: Int) {
        let event = Event(what: what, connection: connection, time: ContinuousClock.now - start)
        state.withLock { state in
            if state.events.count < FaultServer.keptRequestLimit { state.events.append(event) }
        }
    }

    func arrived(head: Data, body: Data, on connection: Int) -> ReceivedRequest {
        let request = take(head: head, body: body, on: connection)
        note(.request(number: request.number), on: connection)
        return request
    }

    private func take(head: Data, body: Data, on connection: Int) -> ReceivedRequest {
        let time = ContinuousClock.now - start
        return state.withLock { state in
            state.requestCount += 1
            let request = ReceivedRequest(
                head: head,
                body: body,
                connection: connection,
                number: state.requestCount,
                time: time
            )
            if state.requests.count < FaultServer.keptRequestLimit { state.requests.append(request) }
            return request
        }
    }

    func sent(_ count: Int) { state.withLock { $0.sentByteCount += count } }

    func received(_ count: Int) { state.withLock { $0.receivedByteCount += count } }

    func clientClosed() { state.withLock { $0.clientCloseCount += 1 } }

    /// Ends all threads. The signal ends each of their waits.
    private func stop() async {
        stopSignal.raise()
        while state.withLock({ $0.threadCount }) > 0 { await Task.yield() }
    }
}

// MARK: Ports that refuse connections

extension FaultServer {
    /// Runs `body` with the URL of a port that refuses connections: the port is bound, but no socket listens.
    public static func withRefusingURL<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let socket = try LoopbackSocket(family: .ipv4)
        defer { _ = close(socket.descriptor) }
        return try await body("http://127.0.0.1:\(socket.port)")
    }
}
