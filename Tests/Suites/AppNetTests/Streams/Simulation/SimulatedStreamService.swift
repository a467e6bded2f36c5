import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumKit
import HeliumTesting
import Synchronization
import TestSupport

@testable import AppNet

/// A service of messages and user streams in memory, from Docs/Protocols/AppNet.md §2.14, that processes each request at
/// a random moment, and whose responses get lost.
///
/// A request is not processed if its caller has given it up by then. Unlike here, a real service may process such a
/// request later.
final class SimulatedStreamService: Sendable {
    struct Stream {
        /// The channels by the ids of their subscriptions.
        var subscriptions: [String: String] = [:]
        var missed: [String] = []
        var body: SimulatedBody?
    }

    private struct State {
        var random: SeededRandom
        var lastID = 0
        var messages: [String: [Int]] = [:]
        var streams: [String: Stream] = [:]
        var lossRarity: Int?
    }

    private let state: Guarded<State>

    init(seed: UInt64) {
        state = Guarded(State(random: SeededRandom(seed: seed)))
        state.withLock { $0.lossRarity = $0.random.pick([nil, 12, 5]) }
    }

    var subscriptions: [String: String] {
        state.withLock { $0.streams.values.reduce(into: [:]) { $0.merge($1.subscriptions) { $1 } } }
    }

    var streamCount: Int { state.withLock { $0.streams.count } }

    func messages(in channel: String) -> [Int] { state.withLock { $0.messages[channel] ?? [] } }

    /// Returns a client of the service, for which no time passes except in short pauses.
    func makeClient() throws -> AppNetClient {
        var configuration = AppNetConfiguration(
            token: "EXAMPLE_TOKEN",
            baseURL: URL(string: "http://adn.test/stream/0/"),
            userStreamURL: URL(string: "http://adn.test/stream/user")
        )
        configuration.options.retry = .never
        configuration.environment = ClientEnvironment(
            transport: MockTransport { [self] request async throws(TransportFailure) in try await respond(to: request)
            },
            clock: TestClock(skippingSleepsUpTo: .milliseconds(10))
        )
        return try AppNetClient(configuration: configuration)
    }
}

// MARK: What happens

extension SimulatedStreamService {
    /// Writes messages. Their event has the last one only, and says so.
    func write(in channel: String, count: Int = 1) {
        state.withLock { state in
            for _ in 0..<count {
                state.lastID += 1
                state.messages[channel, default: []].append(state.lastID)
            }
            let meta = #""type":"message","min_id":"\#(state.lastID)","max_id":"\#(state.lastID)","more":\#(count > 1)"#
            Self.push(#"\#(meta)},"data":[\#(Self.message(state.lastID, channel))]}"#, of: channel, to: &state.streams)
        }
    }

    private static func push(_ rest: String, of channel: String, to streams: inout [String: Stream]) {
        for (id, stream) in streams {
            let names = stream.subscriptions.filter { $0.value == channel }.keys.sorted()
            guard !names.isEmpty else { continue }
            let list = names.map { "\"\($0)\"" }.joined(separator: ",")
            let frame = #"{"meta":{"subscription_ids":[\#(list)],\#(rest)"#
            if let body = stream.body { body.send(frame) } else { streams[id]?.missed.append(frame) }
        }
    }

    /// Cuts all connections.
    ///
    /// - Parameter forgets: Whether the streams cannot be resumed.
    func cut(forgets: Bool) {
        let bodies = state.withLock { state in
            let bodies = state.streams.values.compactMap(\.body)
            for id in state.streams.keys { state.streams[id]?.body = nil }
            if forgets { state.streams = [:] }
            return bodies
        }
        for body in bodies { body.end() }
    }

    /// Sends a frame that no client can decode.
    func garble() {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.body?.send("no JSON") }
    }

    /// Loses no more responses.
    ///
    /// - Returns: Whether some may have been lost before.
    @discardableResult
    func calm() -> Bool { state.withLock { $0.lossRarity.take() != nil } }

    private static func message(_ id: Int, _ channel: String) -> String {
        #"{"id":"\#(id)","channel_id":"\#(channel)","text":"\#(id)"}"#
    }
}

// MARK: Serving

extension SimulatedStreamService {
    private func wait() async {
        let count = state.withLock { $0.random.oneIn(2) ? 0 : $0.random.below(40) }
        for _ in 0..<count { await Task.yield() }
    }

    private var isLost: Bool { state.withLock { state in state.lossRarity.map { state.random.oneIn($0) } ?? false } }

    private func respond(to request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        await wait()
        // The deletion of a whole stream is not repeated, because the service does that itself at some time.
        let canFail = request.method != .delete || request.path.split(separator: "/").count > 6
        if canFail, isLost {
            if state.withLock({ $0.random.oneIn(2) }) { return .json(#"{"meta":{"code":500}}"#, status: 500) }
            throw Self.loss
        }
        if Task.isCancelled { throw Self.loss }
        let response = process(request)
        await wait()
        if canFail, isLost { throw Self.loss }
        return response
    }

    private static let loss = TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost")

    private func process(_ request: TransportRequest) -> TransportResponse {
        let query = Dictionary(request.queryItems.map { ($0.name, $0.value) }) { $1 }
        let parts = request.path.split(separator: "/").map(String.init)
        if request.path.hasSuffix("/stream/user") { return open(query["connection_id"] ?? "unnamed") }
        if request.method == .delete {
            forget(parts.suffix(from: 5))
            return .empty()
        }
        return state.withLock { Self.list(of: parts[3], query, &$0) }
    }

    private func open(_ id: String) -> TransportResponse {
        let body = SimulatedBody()
        let old = state.withLock { state in
            var stream = state.streams[id] ?? Stream()
            let old = stream.body
            for frame in stream.missed { body.send(frame) }
            stream.missed = []
            stream.body = body
            state.streams[id] = stream
            return old
        }
        old?.end()
        return TransportResponse(
            head: ResponseHead(status: 200, fields: [.named("Connection-Id"): id]),
            body: .stream(BodyStream(source: body))
        )
    }

    private func forget(_ path: ArraySlice<String>) {
        let body = state.withLock { state -> SimulatedBody? in
            guard let id = path.first else { return nil }
            guard path.count > 1 else { return state.streams.removeValue(forKey: id)?.body }
            state.streams[id]?.subscriptions[path[path.startIndex + 1]] = nil
            return nil
        }
        body?.end()
    }

    /// Pages by Docs/Protocols/AppNet.md §1.6, and subscribes by §2.14.
    private static func list(of channel: String, _ query: [String: String], _ state: inout State) -> TransportResponse {
        let since = query["since_id"].flatMap { Int($0) } ?? 0
        let count = query["count"].flatMap { Int($0) } ?? 20
        let all = (state.messages[channel] ?? []).filter { $0 > since }
        let page = count > 0 ? all.suffix(count) : all.prefix(-count)
        let more = page.count < all.count
        var meta = #""code":200,"more":\#(more)"#
        if let first = page.first, let last = page.last { meta += #","min_id":"\#(first)","max_id":"\#(last)""# }
        if let connection = query["connection_id"], let subscription = query["subscription_id"] {
            guard state.streams[connection] != nil else { return .json(#"{"meta":{"code":400}}"#, status: 400) }
            if count > 0, query["since_id"] == nil || !more {
                state.streams[connection]?.subscriptions[subscription] = channel
                meta += #","subscription_id":"\#(subscription)""#
            }
        }
        let data = page.reversed().map { message($0, channel) }.joined(separator: ",")
        return .json(#"{"meta":{\#(meta)},"data":[\#(data)]}"#)
    }
}

/// The endless body of a response, which the service writes.
final class SimulatedBody: BodyStreamSource {
    private let frames = BoundedQueue<Data>(limit: 1)

    func send(_ frame: String) { _ = frames.offer([Data("\(frame)\r\n".utf8)], isForced: true) }

    func end() { frames.finish() }

    func next() async throws(TransportFailure) -> Data? {
        do { return try await frames.next() } catch {
            throw TransportFailure(.cancelled, delivery: .answered, message: "the stream was cancelled")
        }
    }

    func cancel() { frames.finish() }
}
