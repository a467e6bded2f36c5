internal import HeliumConcurrency
internal import Synchronization

/// The log of requests that a server answered. It keeps the last requests and counts all of them.
public final class RequestLog: Sendable {
    private struct State {
        var entries: [LoggedRequest] = []
        var count = 0
    }

    private let capacity: Int
    private let state = Guarded(State())

    init(capacity: Int) { self.capacity = capacity }

    /// The number of requests answered since the server started, or since the last ``removeAll()``.
    public var count: Int { state.withLock { $0.count } }

    /// The last requests, oldest first. At most ``ServerLimits/loggedRequests`` are kept.
    public var entries: [LoggedRequest] { state.withLock { Array($0.entries.suffix(capacity)) } }

    /// Returns the number of ``entries`` with this method and this path. Device ids in the path are replaced by `:id`.
    public func count(_ method: String, _ path: String) -> Int {
        entries.count { $0.method == method && $0.path == path }
    }

    /// Deletes all entries and resets the count to 0.
    public func removeAll() { state.withLock { $0 = State() } }

    func append(_ entry: LoggedRequest) {
        state.withLock { state in
            state.count += 1
            // The array grows to twice the capacity before it is cut, so that a full log does not move all entries for
            // every request.
            if state.entries.count / 2 >= capacity { state.entries.removeFirst(state.entries.count - capacity + 1) }
            state.entries.append(entry)
        }
    }
}

extension RequestLog: CustomStringConvertible, CustomReflectable {
    /// The last requests, one per line: `GET /v2/feeds/504 200`.
    public var description: String { entries.map(\.description).joined(separator: "\n") }

    /// A mirror of the last requests.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: entries) }
}

/// One request of a ``RequestLog``. It does not contain headers, query, body and device ids.
public struct LoggedRequest: Hashable, Sendable {
    /// The method of the request line.
    public let method: String
    /// The path, not decoded. Every segment that looks like a device id, a key or a token (at least 32 hexadecimal
    /// characters) is replaced by `:id`, and the segment after `keys` by `:key`. For a request target with an origin, it is
    /// the path of the target.
    public let path: String
    /// The status of the response.
    public let status: Int

    init(method: String, path: Substring, status: Int) {
        self.method = method
        self.path = KeyMask.segments(of: KeyMask.withoutOrigin(path)).map { segment in
            let text = PercentEncoding.decoded(segment) ?? String(segment)
            return text.utf8.count >= 32 && text.utf8.allSatisfy(Self.isHexDigit) ? ":id" : String(segment)
        }
        .joined(separator: "/")
        self.status = status
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte || 97...102 ~= byte | 32 }
}

extension LoggedRequest: CustomStringConvertible {
    /// The method, path and status: `GET /v2/feeds/504 200`.
    public var description: String { "\(method) \(path) \(status)" }
}
