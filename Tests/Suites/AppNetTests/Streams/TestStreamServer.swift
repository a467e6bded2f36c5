import Foundation
import HeliumConcurrency
import HeliumJSON
import HeliumWebSocket
import NIOCore
import Synchronization
import WireSupport

@testable import AppNet

/// A server of one channel and its user streams for tests, written from Docs/Protocols/AppNet.md §2.2 and §2.14. The
/// request determines whether it responds with a WebSocket or an endless response. It can cut its connections at any
/// time.
final class TestStreamServer: Sendable {
    /// The behavior of the server.
    struct Manners: Sendable {
        /// Streams go on when they are asked for again.
        var resumes = true
        /// Statuses of the next answers to lists, instead of the list.
        var refusals: [Int] = []
        /// The fields of these answers, each with its line end.
        var refusalFields = ""
        /// The answer to whoever connects.
        var connectionStatus = 200
        /// Subscriptions are not made.
        var forgetsSubscriptions = false
        /// Events go out in pieces of so many bytes; `nil`: whole.
        var pieces: Int?
        /// Events go out, but the answers to lists wait.
        var holdsLists = false
        /// Deletions wait.
        var holdsDeletions = false
        /// The answer to deletions, which have no effect then.
        var deletionStatus: Int?
        /// The messages that no client can decode.
        var unreadable: Set<Int> = []
    }

    private struct Client {
        let outgoing: AsyncStream<String>.Continuation
        let channel: any Channel
    }

    private struct Stream {
        var client: Client?
        var subscriptions: [String] = []
        var missed: [String] = []
    }

    private struct State {
        var manners = Manners()
        var lastID = 0
        var deleted: Set<Int> = []
        var streams: [String: Stream] = [:]
        var requests: [String] = []
        var texts: [String] = []
    }

    private let state = Guarded(State())
    private let watch = ChangeWatch()

    var manners: Manners {
        get { state.withLock { $0.manners } }
        set {
            state.withLock { $0.manners = newValue }
            changed()
        }
    }

    /// Methods and targets, as they came.
    var requests: [String] { state.withLock { $0.requests } }
    /// The texts received on WebSockets.
    var texts: [String] { state.withLock { $0.texts } }
    /// The heads' first lines of those that connected.
    var connections: [String] { requests.filter { $0.contains("/stream/user") } }
    var lists: [String] { requests.filter { $0.contains("/messages") } }
    var subscriptionCount: Int {
        state.withLock { $0.streams.values.reduce(0) { $0 + ($1.client == nil ? 0 : $1.subscriptions.count) } }
    }
    var connectedCount: Int { state.withLock { $0.streams.values.count { $0.client != nil } } }
    var streamCount: Int { state.withLock { $0.streams.count } }

    /// Runs a test with a server and a client of it.
    static func run<Value: Sendable>(
        scheme: String = "ws",
        dialect: AppNetDialect = .appNet,
        configure: (inout AppNetConfiguration) -> Void = { _ in },
        _ body: (TestStreamServer, AppNetClient) async throws -> Value
    ) async throws -> Value {
        let station = TestStreamServer()
        return try await WireServer.run {
            try await station.serve($0)
        } _: { server async throws in
            var configuration = AppNetConfiguration(
                token: "EXAMPLE_TOKEN",
                dialect: dialect,
                baseURL: URL(string: "http://127.0.0.1:\(server.port)/stream/0"),
                userStreamURL: URL(string: "\(scheme)://127.0.0.1:\(server.port)/stream/user")
            )
            configure(&configuration)
            let client = try AppNetClient(configuration: configuration)
            let value = try await body(station, client)
            await client.close()
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

// MARK: What happens

extension TestStreamServer {
    /// A message is written.
    ///
    /// - Returns: Its id.
    @discardableResult
    func write(tells: Bool = true) -> Int {
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            guard tells else { return id }
            let meta = #""type":"message","min_id":"\#(id)","max_id":"\#(id)","more":false"#
            Self.tell(meta, data: "[\(Self.message(id, state))]", in: &state)
            return id
        }
    }

    /// A message is deleted.
    func delete(_ id: Int) {
        state.withLock { state in
            state.deleted.insert(id)
            Self.tell(#""type":"message","is_deleted":true,"deleted_id":"\#(id)""#, data: nil, in: &state)
        }
    }

    private static func tell(_ meta: String, data: String?, in state: inout State) {
        for id in state.streams.keys {
            guard let stream = state.streams[id], !stream.subscriptions.isEmpty else { continue }
            let names = stream.subscriptions.map { "\"\($0)\"" }.joined(separator: ",")
            let frame =
                #"{"meta":{"subscription_ids":[\#(names)],"connection_id":"\#(id)",\#(meta)}"#
                + (data.map { #","data":\#($0)}"# } ?? "}")
            if let client = stream.client {
                client.outgoing.yield(frame)
            } else {
                state.streams[id]?.missed.append(frame)
            }
        }
    }

    private static func message(_ id: Int, _ state: State) -> String {
        if state.manners.unreadable.contains(id) { return #"{"id":"\#(id)","channel_id":"12","text":{}}"# }
        return state.deleted.contains(id)
            ? #"{"id":"\#(id)","channel_id":"12","is_deleted":true}"#
            : #"{"id":"\#(id)","channel_id":"12","text":"number \#(id)"}"#
    }

    /// Says any text on all connections.
    func say(_ text: String) {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.client?.outgoing.yield(text) }
    }

    /// Cuts all connections without a word.
    ///
    /// - Returns: The number of connections.
    @discardableResult
    func cut() -> Int {
        let clients = state.withLock { state in
            let clients = state.streams.values.compactMap(\.client)
            for id in state.streams.keys { state.streams[id]?.client = nil }
            return clients
        }
        for client in clients { client.channel.close(promise: nil) }
        return clients.count
    }
}

// MARK: Serving

extension TestStreamServer {
    private func serve(_ peer: WirePeer) async throws {
        let head = try await peer.readHead()
        let parts = head.split(separator: " ", maxSplits: 2)
        guard parts.count == 3 else { return }
        let (method, target) = (String(parts[0]), String(parts[1]))
        state.withLock { $0.requests.append("\(method) \(target)") }
        changed()
        guard WirePeer.field("Authorization", in: head) == "Bearer EXAMPLE_TOKEN" else {
            return try await answer(401, #"{"meta":{"code":401}}"#, to: peer)
        }
        if target.hasPrefix("/stream/user") {
            try await serveStream(Self.query(target), head, peer)
        } else if method == "DELETE" {
            await wait { !self.manners.holdsDeletions }
            if let status = manners.deletionStatus {
                return try await answer(status, #"{"meta":{"code":\#(status)}}"#, to: peer)
            }
            forget(target.split(separator: "/").suffix(from: 5).map(String.init))
            try await peer.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        } else {
            await wait { !self.manners.holdsLists }
            let (status, body) = state.withLock { Self.list(Self.query(target), &$0) }
            try await answer(status, body, to: peer)
        }
        changed()
    }

    private func answer(_ status: Int, _ body: String, to peer: WirePeer) async throws {
        try await peer.write(
            "HTTP/1.1 \(status) Said\r\nContent-Type: application/json\r\nConnection: close\r\n"
                + (status == 200 ? "" : manners.refusalFields)
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
    }

    private static func query(_ target: String) -> [String: String] {
        let items = URLComponents(string: target)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    private func forget(_ path: [String]) {
        state.withLock { state in
            if path.count > 1 {
                state.streams[path[0]]?.subscriptions.removeAll { $0 == path[1] }
            } else {
                state.streams.removeValue(forKey: path.first ?? "")?.client?.channel.close(promise: nil)
            }
        }
    }

    /// Pages by Docs/Protocols/AppNet.md §1.6, and subscribes by §2.14.
    private static func list(_ query: [String: String], _ state: inout State) -> (Int, String) {
        if !state.manners.refusals.isEmpty {
            let status = state.manners.refusals.removeFirst()
            return (status, #"{"meta":{"code":\#(status),"error_message":"no"}}"#)
        }
        let since = query["since_id"].flatMap { Int($0) } ?? 0
        let count = query["count"].flatMap { Int($0) } ?? 20
        let all = Array((since + 1)..<max(since + 1, state.lastID + 1))
        let page = count > 0 ? all.suffix(count) : all.prefix(Int(clamping: count.magnitude))
        let more = page.count < all.count
        var meta = #""code":200,"more":\#(more)"#
        if let first = page.first, let last = page.last { meta += #","min_id":"\#(first)","max_id":"\#(last)""# }
        if let connection = query["connection_id"] {
            guard state.streams[connection] != nil else { return (400, #"{"meta":{"code":400}}"#) }
            let subscription = query["subscription_id"] ?? "made-up"
            let isAllowed = count > 0 && query["before_id"] == nil && (query["since_id"] == nil || !more)
            if isAllowed, !state.manners.forgetsSubscriptions {
                state.streams[connection]?.subscriptions.removeAll { $0 == subscription }
                state.streams[connection]?.subscriptions.append(subscription)
                meta += #","subscription_id":"\#(subscription)""#
            }
        }
        let data = page.reversed().map { message($0, state) }.joined(separator: ",")
        return (200, #"{"meta":{\#(meta)},"data":[\#(data)]}"#)
    }

    private func serveStream(_ query: [String: String], _ head: String, _ peer: WirePeer) async throws {
        let manners = manners
        guard manners.connectionStatus == 200 else {
            return try await answer(manners.connectionStatus, #"{"meta":{"code":401}}"#, to: peer)
        }
        let isSocket = head.lowercased().contains("upgrade: websocket")
        let (outgoing, continuation) = AsyncStream.makeStream(of: String.self)
        let id = state.withLock { state in
            let asked = query["connection_id"]
            let isKnown = asked.map { state.streams[$0] != nil } ?? false
            // A name that is asked for is given, unless streams are not gone on with and there was one.
            let id = asked.flatMap { !isKnown || manners.resumes ? $0 : nil } ?? "stream-\(state.requests.count)"
            if let asked, id != asked { state.streams[asked] = nil }
            return id
        }
        continuation.yield(isSocket ? #"{"meta":{"connection_id":"\#(id)"}}"# : "")
        state.withLock { state in
            var stream = state.streams[id] ?? Stream()
            for frame in stream.missed { continuation.yield(frame) }
            stream.missed = []
            stream.client?.channel.close(promise: nil)
            stream.client = Client(outgoing: continuation, channel: peer.channel)
            state.streams[id] = stream
        }
        changed()
        // Told only now: a client that knows the stream's name asks for lists with it.
        let key = WirePeer.field("Sec-WebSocket-Key", in: head) ?? ""
        try await peer.write(
            isSocket
                ? "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(WirePeer.accept(key))\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection-Id: \(id)\r\n\r\n"
        )
        defer {
            state.withLock { state in
                if state.streams[id]?.client?.channel === peer.channel { state.streams[id]?.client = nil }
            }
            changed()
        }
        let writer = peer.writer
        let writing = Task {
            for await text in outgoing {
                let bytes = isSocket ? WirePeer.frame(1, Array(text.utf8)) : Array(text.utf8) + [13, 10]
                let size = max(1, self.manners.pieces ?? bytes.count)
                for start in stride(from: 0, to: bytes.count, by: size) {
                    let piece = Array(bytes[start..<min(start + size, bytes.count)])
                    let chunk = Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
                    try await writer.write(ByteBuffer(bytes: isSocket ? piece : chunk))
                }
            }
        }
        defer { writing.cancel() }
        guard isSocket else { return try await peer.readToEnd() }
        try await readFrames(peer)
    }

    private func readFrames(_ peer: WirePeer) async throws {
        while true {
            let frame = try await peer.readFrame()
            switch frame.opcode {
            case 1:
                state.withLock { $0.texts.append(frame.text) }
                changed()
            case 8: return try await peer.write(WirePeer.frame(8, Array(frame.payload.prefix(2))))
            case 9: try await peer.write(WirePeer.frame(10, frame.payload))
            default: break
            }
        }
    }
}

extension UserStreamOptions {
    /// Connects again at once, and takes no silence for an end, so that a test may move its clock.
    static var patient: Self {
        var options = Self.brisk
        options.connection.silenceLimit = nil
        return options
    }

    /// Connects again at once.
    static var brisk: Self {
        var options = Self()
        options.connection.backoff.firstDelay = .milliseconds(1)
        options.connection.backoff.maximumDelay = .milliseconds(4)
        return options
    }
}
