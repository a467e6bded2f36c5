import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumJSON
import HeliumTesting
import HeliumWebSocket
import Synchronization
import TestSupport

@testable import Cosm

/// A live socket's server in memory, from Docs/Protocols/Cosm.md §14, that handles each request at a random moment.
final class SimulatedSocketService: Sendable {
    /// A fault of the service itself, which a simulation must notice.
    enum Fault: CaseIterable, Sendable {
        /// Some pushes are not sent.
        case losesPushes
        /// A confirmed subscription is forgotten.
        case forgetsSubscriptions
        /// A refusal ends the connection.
        case dropsConnections
        /// The end of a subscription is not noted.
        case keepsSubscriptions
        /// Some pushes are sent twice, the second time late.
        case repeatsPushes
    }

    private struct State {
        var random: SeededRandom
        var connections: [Int: SimulatedConnection] = [:]
        var subscriptions: [Int: [String: String]] = [:]
        var values: [String: Int] = [:]
        var refusals: [String: [Int]] = [:]
        var lastConnection = 0
        var lastValue = 0
    }

    let fault: Fault?
    private let state: Guarded<State>

    init(seed: UInt64, fault: Fault? = nil) {
        self.fault = fault
        state = Guarded(State(random: SeededRandom(seed: seed)))
    }

    static let feedID: Feed.ID = 91

    static func path(_ id: String) -> String { LiveResource.datastream(id, in: feedID).path }

    /// The resources that connected clients are subscribed to.
    var subscriptions: [String] { state.withLock { $0.subscriptions.values.flatMap(\.keys).sorted() } }

    /// The number of connections so far.
    var connectionCount: Int { state.withLock { $0.lastConnection } }

    func value(of id: String) -> Int { state.withLock { $0.values[id] ?? 0 } }

    func makeSocket() throws -> CosmSocket {
        guard let url = URL(string: "ws://cosm.test/") else { preconditionFailure("a test's URL is none") }
        var options = CosmSocketOptions.brisk(TestClock(skippingSleepsUpTo: .milliseconds(4)))
        options.backoff.maximumFailures = nil
        return CosmSocket(SocketAddress(url: url, key: "EXAMPLE_KEY"), options) { await self.connect() }
    }
}

// MARK: What happens

extension SimulatedSocketService {
    /// Writes a value, which is larger than all before it.
    func write(_ id: String) {
        state.withLock { state in
            state.lastValue += 1
            state.values[id] = state.lastValue
            let path = Self.path(id)
            let body = Self.document(id, state.lastValue)
            for (number, tokens) in state.subscriptions {
                guard let token = tokens[path], fault != .losesPushes || state.random.oneIn(2) else { continue }
                let frame = #"{"token":"\#(token)","resource":"\#(path)","body":\#(body)}"#
                state.connections[number]?.deliver(frame)
                if fault == .repeatsPushes, let connection = state.connections[number] {
                    Task {
                        for _ in 0..<50 { await Task.yield() }
                        connection.deliver(frame)
                    }
                }
            }
        }
    }

    /// The next subscriptions to a datastream are refused.
    func refuse(_ id: String, _ statuses: [Int]) { state.withLock { $0.refusals[Self.path(id)] = statuses } }

    /// Cuts all connections.
    func cut() {
        let connections = state.withLock { state in
            defer { (state.connections, state.subscriptions) = ([:], [:]) }
            return Array(state.connections.values)
        }
        for connection in connections { connection.cut() }
    }

    /// Sends a frame that no client can decode.
    func garble() {
        for connection in state.withLock({ Array($0.connections.values) }) { connection.deliver("no JSON") }
    }

    /// Refuses nothing any more.
    func calm() { state.withLock { $0.refusals = [:] } }

    private static func document(_ id: String, _ value: Int) -> String {
        let at = Timestamp(microseconds: Int64(value))
        return #"{"id":"\#(id)","current_value":"\#(value)","at":"\#(at)"}"#
    }
}

// MARK: Serving

extension SimulatedSocketService {
    private func wait() async {
        let count = state.withLock { $0.random.oneIn(2) ? 0 : $0.random.below(30) }
        for _ in 0..<count { await Task.yield() }
    }

    private func connect() async -> any TextConnection {
        await wait()
        return state.withLock { state in
            state.lastConnection += 1
            let connection = SimulatedConnection(number: state.lastConnection, service: self)
            state.connections[state.lastConnection] = connection
            state.subscriptions[state.lastConnection] = [:]
            return connection
        }
    }

    func ended(_ connection: SimulatedConnection) {
        state.withLock { state in
            state.connections[connection.number] = nil
            state.subscriptions[connection.number] = nil
        }
    }

    func handle(_ text: String, from connection: SimulatedConnection) {
        Task {
            await wait()
            guard let object = (try? JSONValue(parsing: Data(text.utf8)))?.objectValue,
                let method = object["method"]?.stringValue, let resource = object["resource"]?.stringValue,
                let token = object["token"]?.stringValue
            else { return }
            let isDropped = state.withLock { state -> Bool in
                guard state.connections[connection.number] != nil else { return false }
                let status = process(method, resource, token, connection.number, &state)
                let body = status == 200 ? "" : #","body":"No""#
                connection.deliver(#"{"token":"\#(token)","resource":"\#(resource)","status":\#(status)\#(body)}"#)
                return status != 200 && fault == .dropsConnections
            }
            if isDropped { cut() }
        }
    }

    private func process(
        _ method: String,
        _ resource: String,
        _ token: String,
        _ number: Int,
        _ state: inout State
    ) -> Int {
        switch method {
        case "subscribe":
            if let status = state.refusals[resource]?.first {
                state.refusals[resource]?.removeFirst()
                return status
            }
            if fault == .forgetsSubscriptions, state.random.oneIn(3) { return 200 }
            state.subscriptions[number]?[resource] = token
        case "unsubscribe":
            if fault != .keepsSubscriptions { state.subscriptions[number]?[resource] = nil }
        default: break
        }
        return 200
    }
}

extension SimulatedSocketService: ResourceReader {
    func feed(_ id: Feed.ID) async throws -> Feed { Feed(id: id) }

    func datastream(_ id: String, in feed: Feed.ID) async throws -> Datastream {
        await wait()
        let value = value(of: id)
        await wait()
        if value == 0 { return Datastream(id: id) }
        return Datastream(id: id, currentValue: DatapointValue(value), at: Timestamp(microseconds: Int64(value)))
    }

    func datapoints(of id: String, in feed: Feed.ID, from start: Timestamp, to end: Timestamp) -> DatapointHistory {
        DatapointHistory(fetch: { _ in DatapointHistory.Page(points: []) }) { () throws(CosmError) in
            HistoryWalk(from: start, to: end, interval: .everyPoint, limit: 1000)
        }
    }
}

/// One connection, whose frames arrive in order.
final class SimulatedConnection: TextConnection {
    let number: Int
    private let service: SimulatedSocketService
    private let incoming = BoundedQueue<String>(limit: 1)
    private let isOver = Guarded(false)

    init(number: Int, service: SimulatedSocketService) {
        self.number = number
        self.service = service
    }

    var executor: (any TaskExecutor)? { nil }

    func deliver(_ frame: String) { _ = incoming.offer([frame], isForced: true) }

    func cut() {
        isOver.withLock { $0 = true }
        incoming.finish(throwing: Self.loss(.answered))
    }

    nonisolated(nonsending) func send(text: String) async throws {
        if isOver.withLock({ $0 }) { throw Self.loss(.notSent) }
        service.handle(text, from: self)
    }

    nonisolated(nonsending) func receiveText() async throws -> String? { try await incoming.next() }

    func end() async {
        isOver.withLock { $0 = true }
        incoming.finish()
        service.ended(self)
    }

    private static func loss(_ delivery: DeliveryState) -> HeliumError {
        HeliumError(
            .connectionLost,
            request: RequestSummary(method: .get, url: "ws://cosm.test/"),
            delivery: delivery,
            message: "the connection was lost"
        )
    }
}
