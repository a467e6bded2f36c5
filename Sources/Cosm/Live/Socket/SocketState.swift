internal import HeliumWebSocket

/// Who is told what happens to a resource. Called by the one who reads the connection, in the order of the frames.
protocol SocketFollower: Sendable {
    /// The server has confirmed the subscription, for the first time or once more on a new connection.
    func confirmed()

    /// The resource's document.
    func received(_ body: SocketFrame.Body)

    /// Something arrived that can't be read: it may have been a push.
    func mayHaveMissed()

    /// The subscription is over: why, or `nil` for an end from here.
    func ended(_ error: (any Error)?)
}

/// What a socket knows: connection, subscriptions, and requests under way. A value; nobody is called in here.
struct SocketState {
    /// A subscription of the connection, which all followers of a resource share.
    struct Entry {
        var followers: [Int: any SocketFollower] = [:]
        /// The token by which the server knows it on this connection; `nil` while it doesn't.
        var token: String?
        /// The server is asked to forget it: its confirmation counts no more.
        var isLeaving = false
        /// Somebody brings what the server knows in line with what is wanted.
        var isReconciling = false
        /// Who waits until the server has confirmed or forgotten it.
        var waiters: [AsyncThrowingStream<Void, any Error>.Continuation] = []
    }

    struct Connection {
        let number: Int
        let connection: any TextConnection
        /// Resources to bring in line.
        let work: AsyncStream<String>.Continuation
    }

    struct Pending {
        let method: SocketMethod
        let resource: String
        let reply: AsyncThrowingStream<SocketFrame, any Error>.Continuation
    }

    var entries: [String: Entry] = [:]
    var pending: [String: Pending] = [:]
    var connection: Connection?
    /// Who waits for a connection.
    var connectionWaiters: [AsyncThrowingStream<Void, any Error>.Continuation] = []
    private var tokens: [String: String] = [:]
    private var lastNumber = 0
    /// Requests under way, those that wait for a connection included.
    var requestCount = 0
    var isClosed = false

    /// Whether nobody needs the connection.
    var isIdle: Bool { entries.isEmpty && requestCount == 0 }

    mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: Subscriptions

extension SocketState {
    /// What brings the server in line with what is wanted of a resource.
    enum Step {
        case subscribe
        case unsubscribe
        case done
    }

    /// - Returns: Whether somebody has to bring the resource in line.
    mutating func wants(_ resource: String) -> Bool {
        guard connection != nil, var entry = entries[resource], !entry.isReconciling else { return false }
        guard entry.followers.isEmpty == (entry.token != nil) else { return false }
        entry.isReconciling = true
        entries[resource] = entry
        return true
    }

    mutating func nextStep(_ resource: String) -> Step {
        guard var entry = entries[resource] else { return .done }
        switch (entry.followers.isEmpty, entry.token) {
        case (false, nil): return .subscribe
        case (true, .some):
            entry.isLeaving = true
            entries[resource] = entry
            return .unsubscribe
        case (true, nil):
            for waiter in entry.waiters { waiter.finish() }
            entries[resource] = nil
            return .done
        case (false, .some):
            entry.isReconciling = false
            entries[resource] = entry
            return .done
        }
    }

    /// The server has confirmed a subscription.
    ///
    /// - Returns: Who is to be told.
    mutating func confirm(_ resource: String, token: String) -> Entry? {
        guard var entry = entries[resource] else { return nil }
        let confirmed = entry
        entry.token = token
        entry.waiters = []
        tokens[token] = resource
        entries[resource] = entry
        return confirmed
    }

    /// The server has forgotten a subscription, as it was asked to.
    mutating func forget(_ resource: String) {
        guard var entry = entries[resource] else { return }
        if let token = entry.token { tokens[token] = nil }
        entry.token = nil
        entry.isLeaving = false
        entries[resource] = entry
    }

    /// Takes a subscription out that the server refuses.
    mutating func remove(_ resource: String) -> Entry? {
        guard let entry = entries.removeValue(forKey: resource) else { return nil }
        if let token = entry.token { tokens[token] = nil }
        return entry
    }

    /// The followers that a push is for: by its token, else by its resource.
    func followers(token: String?, resource: String?) -> [any SocketFollower] {
        let found = token.flatMap { tokens[$0] } ?? resource
        guard let found, let entry = entries[found], entry.token != nil else { return [] }
        return Array(entry.followers.values)
    }
}

// MARK: Requests

extension SocketState {
    /// The request that a frame answers: by its token, else by its resource, else the only one.
    mutating func takePending(_ frame: SocketFrame) -> (token: String, Pending)? {
        if let token = frame.token { return pending.removeValue(forKey: token).map { (token, $0) } }
        let candidates = pending.filter { frame.resource == nil || $0.value.resource == frame.resource }
        guard candidates.count == 1, let (token, found) = candidates.first else { return nil }
        pending[token] = nil
        return (token, found)
    }
}

// MARK: Connections

extension SocketState {
    /// The connection is gone, and with it all that the server knew.
    ///
    /// - Returns: The requests that get no answer.
    mutating func disconnect() -> [Pending] {
        connection?.work.finish()
        connection = nil
        tokens = [:]
        for resource in Array(entries.keys) {
            entries[resource]?.token = nil
            entries[resource]?.isReconciling = false
            entries[resource]?.isLeaving = false
            if let entry = entries[resource], entry.followers.isEmpty {
                for waiter in entry.waiters { waiter.finish() }
                entries[resource] = nil
            }
        }
        defer { pending = [:] }
        return Array(pending.values)
    }
}
