@testable import HeliumCurl

/// A pool whose actions are read as text: calls and connections are numbered in the order of their beginning, such as
/// `open 0 for 0`, `assign 1 to 0`, `reuse 0 for 2`.
final class PoolHarness {
    var pool: ConnectionPool<String>
    var now: UInt64 = 0
    private(set) var calls: [PoolCall] = []
    private(set) var connections: [PoolConnection] = []

    static let second: UInt64 = 1_000_000_000

    init(_ change: (inout ConnectionPool<String>.Configuration) -> Void = { _ in }) {
        var configuration = ConnectionPool<String>.Configuration()
        change(&configuration)
        pool = ConnectionPool(configuration)
    }

    /// The actions since the last time.
    func actions() -> [String] {
        defer { pool.actions.removeAll() }
        return pool.actions.map { action in
            switch action {
            case .open(let connection, let call, let offersHTTP2):
                connections.append(connection)
                return "open \(number(connection)) for \(number(call))" + (offersHTTP2 ? "" : " over http1")
            case .join(let call, let connection): return "join \(number(call)) \(number(connection))"
            case .wait(let call): return "wait \(number(call))"
            case .assign(let call, let connection, let isReused):
                return "\(isReused ? "reuse" : "assign") \(number(connection)) for \(number(call))"
            case .fail(let call, _): return "fail \(number(call))"
            case .close(let connection): return "close \(number(connection))"
            }
        }
    }

    private func number(_ call: PoolCall) -> Int { calls.lastIndex(of: call) ?? -1 }
    private func number(_ connection: PoolConnection) -> Int { connections.lastIndex(of: connection) ?? -1 }
}

extension PoolHarness {
    func request(_ group: String = "a", _ protocols: PoolProtocols = .http1) -> [String] {
        calls.append(pool.request(group, protocols, now: now))
        return actions()
    }

    func release(_ call: Int, isReusable: Bool = true, peerIdleLimit: UInt64? = nil) -> [String] {
        pool.released(calls[call], isReusable: isReusable, peerIdleLimit: peerIdleLimit, now: now)
        return actions()
    }

    func cancel(_ call: Int) -> [String] {
        pool.cancelled(calls[call], now: now)
        return actions()
    }

    func resend(_ call: Int, overHTTP1: Bool = false) -> [String] {
        pool.resend(calls[call], overHTTP1: overHTTP1, now: now)
        return actions()
    }

    func open(_ connection: Int, _ version: PoolProtocol = .http1) -> [String] {
        pool.opened(connections[connection], version, now: now)
        return actions()
    }

    func fail(_ connection: Int) -> [String] {
        pool.openFailed(connections[connection])
        return actions()
    }

    func setStreams(_ connection: Int, _ limit: Int) -> [String] {
        pool.streamLimitChanged(connections[connection], limit, now: now)
        return actions()
    }

    func sendAway(_ connection: Int) -> [String] {
        pool.wentAway(connections[connection])
        return actions()
    }

    func lose(_ connection: Int) -> [String] {
        pool.lost(connections[connection])
        return actions()
    }

    func distrust(_ group: String) -> [String] {
        pool.closeIdle(group)
        return actions()
    }

    func expire(at time: UInt64) -> [String] {
        now = time
        pool.expire(now: now)
        return actions()
    }

    /// Begins a call and opens a connection for it.
    func connect(_ group: String = "a", _ protocols: PoolProtocols = .http1, _ version: PoolProtocol = .http1) {
        _ = request(group, protocols)
        _ = open(connections.count - 1, version)
    }
}
