internal import HeliumConcurrency
internal import HeliumWebSocket

/// A receiver of the events of a resource. Its methods are called by the task that reads the connection, in the order
/// of the frames.
protocol SocketFollower: Sendable {
    /// Called when the server has confirmed the registration, for the first time or again on a new connection.
    func confirmed()

    /// Called when a push with the resource's document has arrived.
    func received(_ body: SocketFrame.Body)

    /// Called when a frame that cannot be read has arrived. It may have been a push.
    func mayHaveMissed()

    /// Called when the registration has ended.
    ///
    /// - Parameter error: The reason; `nil` if this side ended it.
    func ended(_ error: (any Error)?)
}

/// The state of a socket: its connection, its registrations and its pending requests. It does no I/O and makes no
/// calls.
struct SocketState {
    /// A resource that is registered with the server, or needs to be. All followers of the resource share it.
    struct Registration {
        var followers: [Int: any SocketFollower] = [:]
        /// The token of the confirmed `subscribe` request on this connection; `nil` if there is none.
        var token: String?
        /// Whether an `unsubscribe` request is under way.
        var isUnsubscribing = false
        /// Whether a task sends the requests that the followers need.
        var isReconciling = false
        /// Settled when the server next confirms or removes the registration.
        var settled = Signal<Void>()
    }

    struct Connection {
        let number: Int
        let connection: any TextConnection
        /// The resources to reconcile.
        let work: AsyncStream<String>.Continuation
    }

    struct Pending {
        let method: SocketMethod
        let resource: String
        let reply: Signal<SocketFrame>
    }

    /// The registrations by the path of the resource.
    var registrations: [String: Registration] = [:]
    var pending: [String: Pending] = [:]
    var connection: Connection?
    /// Settled when there is a connection.
    var connected = Signal<Void>()
    private var tokens: [String: String] = [:]
    private var lastNumber = 0
    /// The number of requests under way, including those that wait for a connection.
    var requestCount = 0
    var isClosed = false

    /// Whether the connection is not needed.
    var isIdle: Bool { registrations.isEmpty && requestCount == 0 }

    mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: Registrations

extension SocketState {
    /// The next step that makes the server's registration match a resource's followers.
    enum Step {
        case subscribe
        case unsubscribe
        case done
    }

    /// Marks a resource that needs a request.
    ///
    /// - Returns: Whether a request is needed and no task sends it yet.
    mutating func beginReconciling(_ resource: String) -> Bool {
        guard connection != nil, var registration = registrations[resource], !registration.isReconciling else {
            return false
        }
        guard registration.followers.isEmpty == (registration.token != nil) else { return false }
        registration.isReconciling = true
        registrations[resource] = registration
        return true
    }

    mutating func nextStep(_ resource: String) -> Step {
        guard var registration = registrations[resource] else { return .done }
        switch (registration.followers.isEmpty, registration.token) {
        case (false, nil): return .subscribe
        case (true, .some):
            registration.isUnsubscribing = true
            registrations[resource] = registration
            return .unsubscribe
        case (true, nil):
            registration.settled.settle()
            registrations[resource] = nil
            return .done
        case (false, .some):
            registration.isReconciling = false
            registrations[resource] = registration
            return .done
        }
    }

    /// Notes that the server has confirmed a registration.
    ///
    /// - Returns: The registration with its followers and the signal to settle; `nil` if it has been removed.
    mutating func confirm(_ resource: String, token: String) -> Registration? {
        guard var registration = registrations[resource] else { return nil }
        let confirmed = registration
        registration.token = token
        registration.settled = Signal()
        tokens[token] = resource
        registrations[resource] = registration
        return confirmed
    }

    /// Notes that the server has removed a registration as requested.
    mutating func forget(_ resource: String) {
        guard var registration = registrations[resource] else { return }
        if let token = registration.token { tokens[token] = nil }
        registration.token = nil
        registration.isUnsubscribing = false
        registrations[resource] = registration
    }

    /// Removes a registration that the server rejects.
    mutating func remove(_ resource: String) -> Registration? {
        guard let registration = registrations.removeValue(forKey: resource) else { return nil }
        if let token = registration.token { tokens[token] = nil }
        return registration
    }

    /// Returns the followers of a push, found by its token or else by its resource.
    func followers(token: String?, resource: String?) -> [any SocketFollower] {
        let found = token.flatMap { tokens[$0] } ?? resource
        guard let found, let registration = registrations[found], registration.token != nil else { return [] }
        return Array(registration.followers.values)
    }
}

// MARK: Requests

extension SocketState {
    /// Removes and returns the request of a response, found by its token, else by its resource, else because it is the
    /// only one.
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
    /// Notes that the connection has ended, and with it the server's registrations.
    ///
    /// - Returns: The requests that will not get a response.
    mutating func disconnect() -> [Pending] {
        connection?.work.finish()
        connection = nil
        tokens = [:]
        for resource in Array(registrations.keys) {
            registrations[resource]?.token = nil
            registrations[resource]?.isReconciling = false
            registrations[resource]?.isUnsubscribing = false
            if let registration = registrations[resource], registration.followers.isEmpty {
                registration.settled.settle()
                registrations[resource] = nil
            }
        }
        defer { pending = [:] }
        return Array(pending.values)
    }
}
