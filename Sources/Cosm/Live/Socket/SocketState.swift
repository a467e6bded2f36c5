internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket

/// A receiver of the events of a resource. Its methods are called by the task that reads the connection, in the order
/// of the frames.
protocol SocketFollower: Sendable {
    /// Called when the server has confirmed the registration, for the first time or again on a new connection.
    ///
    /// - Parameter lost: The uptime at which the previous connection with the registration ended; `nil` if there was
    ///   none.
    func confirmed(after lost: Duration?)

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
        /// The number of the delay before the next `subscribe` request, after the server has refused one for now.
        var pause: Int?
        /// The delays after such refusals; `nil` before the first.
        var backoff: Backoff?
        /// The last such refusal; `nil` before the first.
        var refusal: CosmError?
        /// Whether the server has confirmed the registration, on this connection or an earlier one.
        var wasConfirmed = false
        /// The uptime at which the connection with the registration ended; `nil` while there is one.
        var lostAt: Duration?
        /// Settled when the server next confirms the registration, or the registration ends.
        var settled = Signal<Void>()
        /// Settled when followers that have left need not wait any more: the server has removed the registration, it is
        /// kept for others, or the connection has ended.
        var left = Signal<Void>()

        /// Returns the signal of the followers that have left so far, and replaces it.
        mutating func takeLeft() -> Signal<Void> {
            defer { left = Signal() }
            return left
        }
    }

    struct Connection {
        let number: Int
        let connection: any TextConnection
        /// Whether this side ends it, or a request found that nothing can be sent on it any more.
        var isEnding = false
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
        guard connection?.isEnding == false, var registration = registrations[resource], !registration.isReconciling,
            registration.pause == nil
        else { return false }
        guard registration.followers.isEmpty == (registration.token != nil) else { return false }
        registration.isReconciling = true
        registrations[resource] = registration
        return true
    }

    /// Returns the next step, and the signal of followers that have left, to settle if there is none.
    mutating func nextStep(_ resource: String) -> (step: Step, left: Signal<Void>?) {
        guard var registration = registrations[resource] else { return (.done, nil) }
        switch (registration.followers.isEmpty, registration.token) {
        case (false, nil): return (.subscribe, nil)
        case (true, .some):
            registration.isUnsubscribing = true
            registrations[resource] = registration
            return (.unsubscribe, nil)
        case (true, nil):
            registrations[resource] = nil
            return (.done, registration.left)
        case (false, .some):
            // Another follower has made a removal unnecessary.
            registration.isReconciling = false
            let left = registration.takeLeft()
            registrations[resource] = registration
            return (.done, left)
        }
    }

    /// The consequence of a refusal.
    enum Refused {
        /// The registration has lost its followers, and is to be removed.
        case goOn
        /// The registration was removed.
        case ended(Registration)
        /// The registration is requested again after a delay, which has a number. The server does not have it, so
        /// followers that have left need not wait.
        case pause(Int, Duration, left: Signal<Void>)
    }

    /// Notes that the server has refused a registration.
    mutating func refused(_ resource: String, _ refusal: CosmError, policy: BackoffPolicy, random: Double) -> Refused {
        guard var registration = registrations[resource], !registration.followers.isEmpty else { return .goOn }
        var backoff = registration.backoff ?? Backoff(policy)
        guard refusal.mayBeAcceptedLater(wasAccepted: registration.wasConfirmed),
            let delay = backoff.failed(random: random)
        else {
            registrations[resource] = nil
            return .ended(registration)
        }
        let pause = number()
        registration.backoff = backoff
        registration.refusal = refusal
        registration.pause = pause
        registration.isReconciling = false
        let left = registration.takeLeft()
        registrations[resource] = registration
        return .pause(pause, delay, left: left)
    }

    /// Ends a delay.
    ///
    /// - Returns: Whether a request is needed and no task sends it yet.
    mutating func resume(_ resource: String, after pause: Int) -> Bool {
        guard registrations[resource]?.pause == pause else { return false }
        registrations[resource]?.pause = nil
        return beginReconciling(resource)
    }

    /// Notes that the server has confirmed a registration.
    ///
    /// - Returns: The registration with its followers and the signal to settle; `nil` if it has been removed.
    mutating func confirm(_ resource: String, token: String) -> Registration? {
        guard var registration = registrations[resource] else { return nil }
        let confirmed = registration
        registration.token = token
        registration.settled = Signal()
        registration.wasConfirmed = true
        registration.backoff = nil
        registration.refusal = nil
        registration.lostAt = nil
        tokens[token] = resource
        registrations[resource] = registration
        return confirmed
    }

    /// Notes that the server has removed a registration as requested.
    ///
    /// - Returns: The signal of the followers that have left, to settle.
    mutating func forget(_ resource: String) -> Signal<Void>? {
        guard var registration = registrations[resource] else { return nil }
        if let token = registration.token { tokens[token] = nil }
        registration.token = nil
        registration.isUnsubscribing = false
        let left = registration.takeLeft()
        registrations[resource] = registration
        return left
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
    /// Notes that nothing more is sent on a connection, if it is the current one.
    mutating func noteEnding(_ number: Int?) {
        if connection?.number == number { connection?.isEnding = true }
    }

    /// Notes that the connection has ended, and with it the server's registrations.
    ///
    /// - Parameter uptime: The uptime now.
    /// - Returns: The requests that will not get a response.
    mutating func disconnect(at uptime: Duration) -> [Pending] {
        for registration in registrations.values { registration.left.settle() }
        connection?.work.finish()
        connection = nil
        tokens = [:]
        for resource in Array(registrations.keys) {
            if registrations[resource]?.token != nil { registrations[resource]?.lostAt = uptime }
            registrations[resource]?.token = nil
            registrations[resource]?.pause = nil
            registrations[resource]?.isReconciling = false
            registrations[resource]?.isUnsubscribing = false
            _ = registrations[resource]?.takeLeft()
            if registrations[resource]?.followers.isEmpty == true { registrations[resource] = nil }
        }
        defer { pending = [:] }
        return Array(pending.values)
    }
}

extension CosmError {
    /// Returns whether the server may accept a subscription later that it has refused.
    ///
    /// - Parameter wasAccepted: Whether it has accepted the subscription before. The rate limit does not end such a
    ///   subscription. The caller of a new one decides.
    fileprivate func mayBeAcceptedLater(wasAccepted: Bool) -> Bool {
        switch kind {
        case .rateLimited: wasAccepted
        case .overloaded: true
        // The server does not implement it, in this or in another version.
        case .serverFailed: status != 501 && status != 505
        default: underlying?.isTransient ?? false
        }
    }
}
