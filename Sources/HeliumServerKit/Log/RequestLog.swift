internal import HeliumConcurrency
internal import Synchronization

/// The requests that a server answered: the last ones in full, all of them as a number.
public final class RequestLog: Sendable {
    private struct State {
        var entries: [LoggedRequest] = []
        var count = 0
    }

    private let capacity: Int
    private let state = Guarded(State())

    init(capacity: Int) { self.capacity = capacity }

    /// How many requests were answered since the server started.
    public var count: Int { state.withLock { $0.count } }

    /// The last requests, oldest first; at most ``ServerLimits/loggedRequests``.
    public var entries: [LoggedRequest] { state.withLock { Array($0.entries.suffix(capacity)) } }

    /// How many of ``entries`` have this method and this path (device ids spelt `:id`).
    public func count(_ method: String, _ path: String) -> Int {
        entries.count { $0.method == method && $0.path == path }
    }

    /// Forgets all requests and starts to count from 0.
    public func removeAll() { state.withLock { $0 = State() } }

    func append(_ entry: LoggedRequest) {
        state.withLock { state in
            state.count += 1
            // Twice the capacity before a cut, so that a full log does not move all its entries for every request.
            if state.entries.count >= 2 * capacity { state.entries.removeFirst(state.entries.count - capacity + 1) }
            state.entries.append(entry)
        }
    }
}

extension RequestLog: CustomStringConvertible, CustomReflectable {
    /// The last requests, a line each: `GET /v2/feeds/504 200`.
    public var description: String { entries.map(\.description).joined(separator: "\n") }

    /// The last requests.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: entries) }
}

/// One request of a ``RequestLog``. It holds no header, no query, no body and no device id.
public struct LoggedRequest: Hashable, Sendable {
    /// The method of the request line.
    public let method: String
    /// The path as encoded, every segment that looks like a device id or a key (32 hexadecimal characters) replaced
    /// by `:id`, and what follows `keys` by `:key`.
    public let path: String
    /// The status of the answer.
    public let status: Int

    init(method: String, path: Substring, status: Int) {
        self.method = method
        self.path = KeyMask.segments(of: path).map { segment in
            segment.utf8.count == 32 && segment.allSatisfy(\.isHexDigit) ? ":id" : String(segment)
        }
        .joined(separator: "/")
        self.status = status
    }
}

extension LoggedRequest: CustomStringConvertible {
    /// Method, path and status: `GET /v2/feeds/504 200`.
    public var description: String { "\(method) \(path) \(status)" }
}
