import HeliumConcurrency
import Synchronization

/// A request as a scripted server received it.
package struct WireRequest: Sendable {
    package let method: String
    package let target: String
    package var body: [UInt8] = []
    /// The number of the connection, from 0.
    package let connection: Int
    /// The stream over HTTP/2; 0 over HTTP/1.1.
    package var stream: UInt32 = 0

    /// The body of the response, by which a caller recognizes its own one.
    package var echo: String { "\(method) \(target) \(String(decoding: body, as: UTF8.self))" }
}

/// The requests that the connections of a scripted server have received, and the number of its connections.
package final class DeliveryLedger: Sendable {
    private struct State {
        var requests: [WireRequest] = []
        var opened = 0
        var ended = 0
    }

    private let state = Guarded(State())
    private let changes = ChangeWatch()

    package init() {}

    /// All requests that the server has processed, in order.
    package var requests: [WireRequest] { state.withLock { $0.requests } }

    /// The number of connections so far.
    package var connections: Int { state.withLock { $0.opened } }

    /// The number of connections that have not ended.
    package var openConnections: Int { state.withLock { $0.opened - $0.ended } }

    /// Counts a connection and returns its number.
    package func open() -> Int {
        defer { changes.changed() }
        return state.withLock { state in
            state.opened += 1
            return state.opened - 1
        }
    }

    /// Notes that a connection has ended.
    package func end() {
        state.withLock { $0.ended += 1 }
        changes.changed()
    }

    /// Notes that a request was received and is processed.
    package func add(_ request: WireRequest) {
        state.withLock { $0.requests.append(request) }
        changes.changed()
    }

    /// The requests for a target.
    package func deliveries(of target: String) -> [WireRequest] { requests.filter { $0.target == target } }

    /// Waits until something is so.
    package func wait(until condition: @escaping @Sendable (DeliveryLedger) -> Bool) async {
        await changes.wait { condition(self) }
    }
}
