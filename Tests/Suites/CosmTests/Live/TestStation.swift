import Foundation
import HeliumConcurrency
import HeliumJSON
import HeliumTesting
import HeliumWebSocket
import NIOCore
import Synchronization
import WireSupport

@testable import Cosm

/// A server of the live socket for tests, written from Docs/Protocols/Cosm.md §14. Feeds are in memory. Reads through
/// REST are included.
///
/// It speaks WebSocket or raw TCP, sends writes to all subscribers, and can cut its connections at any time.
final class TestStation: Sendable {
    /// The faults that the station simulates.
    struct Manners: Sendable {
        /// Subscriptions are refused so.
        var refusal: (status: Int, body: String)?
        /// The next subscriptions to a resource are refused with these statuses.
        var refusals: [String: [Int]] = [:]
        /// Requests of these methods get no answer.
        var ignored: Set<String> = []
        /// Requests of these methods end the connection in place of an answer.
        var cutting: Set<String> = []
        /// Pushes and answers carry no token.
        var hidesTokens = false
        /// So many of the next reads fail.
        var failingReads = 0
        /// Answers are cut into pieces of so many bytes; `nil`: each goes out whole, by itself.
        var pieces: Int?
    }

    struct Request: Sendable {
        let method: String
        let resource: String
        let key: String?
        let token: String?
        let body: JSONValue?
    }

    private struct Client {
        let outgoing: AsyncStream<String>.Continuation
        let channel: any Channel
        /// Tokens by resource.
        var subscriptions: [String: String?] = [:]
    }

    private struct State {
        var manners = Manners()
        /// Datapoints by datastream, in order.
        var points: [String: [Datapoint]] = [:]
        var clients: [Int: Client] = [:]
        var lastClient = 0
        var requests: [Request] = []
        var reads = 0
        /// The queries of histories.
        var queries: [HistoryQuery] = []
    }

    static let feedID: Feed.ID = 91
    let isRaw: Bool
    private let state = Guarded(State())
    private let watch = ChangeWatch()

    init(isRaw: Bool = false) { self.isRaw = isRaw }

    var manners: Manners {
        get { state.withLock { $0.manners } }
        set { state.withLock { $0.manners = newValue } }
    }

    var requests: [Request] { state.withLock { $0.requests } }
    var reads: Int { state.withLock { $0.reads } }
    var queries: [HistoryQuery] { state.withLock { $0.queries } }
    var clientCount: Int { state.withLock { $0.lastClient } }
    var connectionCount: Int { state.withLock { $0.clients.count } }
    var subscriptionCount: Int { state.withLock { $0.clients.values.reduce(0) { $0 + $1.subscriptions.count } } }

    /// Runs a test with a station and a socket to it.
    static func run<Value: Sendable>(
        isRaw: Bool = false,
        options: CosmSocketOptions = .brisk,
        _ body: (TestStation, CosmSocket) async throws -> Value
    ) async throws -> Value {
        let station = TestStation(isRaw: isRaw)
        return try await WireServer.run {
            try await station.serve($0)
        } _: { server async throws in
            guard let url = URL(string: "\(isRaw ? "tcp" : "ws")://127.0.0.1:\(server.port)/") else {
                preconditionFailure("a test's URL is none")
            }
            let socket = CosmSocket(url: url, apiKey: "EXAMPLE_KEY", options: options)
            let value = try await body(station, socket)
            await socket.close()
            return value
        }
    }

    /// Waits until something is so; it is asked again after everything that happens.
    func wait(until condition: @Sendable () -> Bool) async {
        await watch.wait(until: condition)
    }

    private func changed() {
        watch.changed()
    }
}

// MARK: What is measured

extension TestStation {
    /// Stores a value and sends it to all subscribers (Docs/Protocols/Cosm.md §14.3).
    func write(_ datastream: String, _ point: Datapoint) {
        state.withLock { state in
            state.points[datastream, default: []].append(point)
            let feed = Self.feed(state.points)
            let stream = Self.datastream(datastream, state.points[datastream] ?? [])
            for client in state.clients.values {
                push(feed, "/feeds/\(Self.feedID)", to: client, state.manners)
                push(stream, "/feeds/\(Self.feedID)/datastreams/\(datastream)", to: client, state.manners)
            }
        }
    }

    private func push(_ document: some Encodable, _ resource: String, to client: Client, _ manners: Manners) {
        guard let token = client.subscriptions[resource], let body = try? HeliumJSONEncoder().encodeToString(document)
        else {
            return
        }
        let member = manners.hidesTokens ? "" : token.map { "\"token\":\"\($0)\"," } ?? ""
        client.outgoing.yield("{\(member)\"resource\":\"\(resource)\",\"body\":\(body)}")
    }

    /// Sends any text to all clients.
    func say(_ text: String) {
        for client in state.withLock({ Array($0.clients.values) }) { client.outgoing.yield(text) }
    }

    /// Cuts all connections without a word. They count no more at once: a client is back within milliseconds.
    func cut() {
        let clients = state.withLock { state in
            defer { state.clients = [:] }
            return Array(state.clients.values)
        }
        for client in clients { client.channel.close(promise: nil) }
        changed()
    }

    private static func datastream(_ id: String, _ points: [Datapoint]) -> Datastream {
        Datastream(id: id, currentValue: points.last?.value, at: points.last?.at)
    }

    private static func feed(_ points: [String: [Datapoint]]) -> Feed {
        Feed(
            id: feedID,
            title: "Shed",
            datastreams: points.sorted { $0.key < $1.key }.map { datastream($0.key, $0.value) }
        )
    }
}

// MARK: The socket

extension TestStation {
    private func serve(_ peer: WirePeer) async throws {
        if !isRaw { try await peer.upgrade() }
        let (outgoing, continuation) = AsyncStream.makeStream(of: String.self)
        let id = state.withLock { state in
            state.lastClient += 1
            state.clients[state.lastClient] = Client(outgoing: continuation, channel: peer.channel)
            return state.lastClient
        }
        changed()
        defer {
            state.withLock { _ = $0.clients.removeValue(forKey: id) }
            changed()
        }
        let writer = peer.writer
        let writing = Task { [isRaw] in
            for await text in outgoing {
                let bytes = isRaw ? Array(text.utf8) + [10] : WirePeer.frame(1, Array(text.utf8))
                let size = self.manners.pieces ?? bytes.count
                for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
                    try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
                }
            }
        }
        defer { writing.cancel() }
        while true {
            let text = try await isRaw ? peer.read(until: "\n") : nextText(peer)
            guard let text else { return }
            guard handle(text, from: id) else { return }
            changed()
        }
    }

    private func nextText(_ peer: WirePeer) async throws -> String? {
        while true {
            let frame = try await peer.readFrame()
            if frame.opcode == 1 { return frame.text }
            if frame.opcode == 8 {
                try await peer.write(WirePeer.frame(8, Array(frame.payload.prefix(2))))
                return nil
            }
            if frame.opcode == 9 { try await peer.write(WirePeer.frame(10, frame.payload)) }
        }
    }

    /// - Returns: Whether the connection goes on.
    private func handle(_ text: String, from id: Int) -> Bool {
        guard let object = (try? JSONValue(parsing: Data(text.utf8)))?.objectValue,
            let method = object["method"]?.stringValue, let resource = object["resource"]?.stringValue
        else {
            state.withLock { _ = $0.clients[id]?.outgoing.yield(#"{"status":400,"body":"Syntax Error"}"#) }
            return true
        }
        let request = Request(
            method: method,
            resource: resource,
            key: object["headers"]?.objectValue?["X-ApiKey"]?.stringValue,
            token: object["token"]?.stringValue,
            body: object["body"]
        )
        return state.withLock { state in
            state.requests.append(request)
            guard !state.manners.cutting.contains(method) else { return false }
            guard !state.manners.ignored.contains(method) else { return true }
            let token = state.manners.hidesTokens ? "" : request.token.map { "\"token\":\"\($0)\"," } ?? ""
            state.clients[id]?.outgoing.yield("{\(token)\"resource\":\"\(resource)\",\(answer(request, id, &state))}")
            return true
        }
    }

    private func answer(_ request: Request, _ id: Int, _ state: inout State) -> String {
        switch request.method {
        case "subscribe":
            if let status = state.manners.refusals[request.resource]?.first {
                state.manners.refusals[request.resource]?.removeFirst()
                return "\"status\":\(status),\"body\":\"Not now\""
            }
            if let refusal = state.manners.refusal {
                return "\"status\":\(refusal.status),\"body\":\"\(refusal.body)\""
            }
            state.clients[id]?.subscriptions[request.resource] = .some(request.token)
            return "\"status\":200"
        case "unsubscribe":
            state.clients[id]?.subscriptions[request.resource] = nil
            return "\"status\":200"
        case "get" where request.resource == "/feeds/\(Self.feedID)":
            let body = (try? HeliumJSONEncoder().encodeToString(Self.feed(state.points))) ?? ""
            return "\"status\":200,\"headers\":{\"CONTENT_TYPE\":\"application/json; charset=utf-8\"},\"body\":\(body)"
        case "post":
            return "\"status\":201,\"headers\":{\"LOCATION\":\"http://h/v2/feeds/92\"}"
        case "put":
            return "\"status\":200,\"headers\":{}"
        default:
            return #""status":404,"body":"Not found: I'm sorry""#
        }
    }
}

// MARK: Reading

extension TestStation: ResourceReader {
    private func countRead() throws {
        defer { changed() }
        try state.withLock { state in
            state.reads += 1
            guard state.manners.failingReads > 0 else { return }
            state.manners.failingReads -= 1
            throw CosmError(.overloaded, "try later")
        }
    }

    func feed(_ id: Feed.ID) async throws -> Feed {
        try countRead()
        return state.withLock { Self.feed($0.points) }
    }

    func datastream(_ id: String, in feed: Feed.ID) async throws -> Datastream {
        try countRead()
        return state.withLock { Self.datastream(id, $0.points[id] ?? []) }
    }

    func datapoints(
        of datastream: String,
        in feed: Feed.ID,
        from start: Timestamp,
        to end: Timestamp
    ) -> DatapointHistory {
        DatapointHistory(
            fetch: { query in
                let points = self.state.withLock { state in
                    state.queries.append(query)
                    return state.points[datastream] ?? []
                }
                let wanted = points.filter { point in
                    guard let at = point.at, let start = query.start, let end = query.end else { return false }
                    return start <= at && at <= end
                }
                return DatapointHistory.Page(points: Array(wanted.prefix(query.limit ?? 100)))
            },
            makeWalk: { () throws(CosmError) in
                HistoryWalk(from: start, to: end, interval: .everyPoint, template: HistoryQuery(), limit: 1000)
            }
        )
    }
}

extension CosmSocketOptions {
    /// Connects again at once, and sends no pings.
    static var brisk: Self {
        var options = Self()
        options.backoff.firstDelay = .milliseconds(1)
        options.backoff.maximumDelay = .milliseconds(4)
        options.connection.timeouts.pingInterval = nil
        return options
    }

    /// The same by a test's clock, on which nothing sleeps but what the socket waits for itself.
    static func brisk(_ clock: TestClock) -> Self {
        var options = brisk
        options.connection.clock = clock
        options.connection.timeouts.silence = nil
        options.connection.timeouts.send = nil
        return options
    }
}
