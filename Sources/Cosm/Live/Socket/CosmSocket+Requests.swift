internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

extension CosmSocket {
    /// Sends a request over the socket: it reads, changes, creates or deletes the same resources as REST calls
    /// (Docs/Protocols/Cosm.md §14.2).
    ///
    /// It waits for the connection if there is none. If the connection is lost before the request was sent, the request
    /// waits for the next one. If it is lost later, the request fails. The server may have executed it.
    ///
    /// On raw TCP it also waits for the responses to the requests before it. These waits take at most
    /// ``CosmSocketOptions/subscribeTimeout`` together, and the wait for the response
    /// ``CosmSocketOptions/replyTimeout``. A request that gets no response in time ends its connection there. After a
    /// request that was cancelled, the next one waits for its response.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - resource: The path without the version: `/feeds/504`.
    ///   - parameters: The query parameters.
    ///   - body: The document for `put` and `post`.
    /// - Returns: The response, with a status from 200 to 299.
    /// - Throws: ``CosmError``, of the same kinds as the REST calls; `CancellationError`.
    public func request(
        _ method: SocketMethod,
        _ resource: String,
        parameters: [String: String] = [:],
        body: (some Encodable & Sendable)?
    ) async throws -> SocketReply {
        let frame = try await connected(method, resource) {
            try await self.exchangeNow(method, resource, parameters, body)
        }
        guard frame.isSuccess else { throw CosmError(frame, to: method, resource, on: address) }
        return SocketReply(frame)
    }

    /// Sends a request without a body over the socket.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - resource: The path without the version: `/feeds/504`.
    ///   - parameters: The query parameters.
    /// - Returns: The response, with a status from 200 to 299.
    /// - Throws: ``CosmError``, of the same kinds as the REST calls; `CancellationError`.
    @discardableResult
    public func request(
        _ method: SocketMethod,
        _ resource: String,
        parameters: [String: String] = [:]
    ) async throws -> SocketReply {
        try await request(method, resource, parameters: parameters, body: NoBody?.none)
    }

    /// Performs an operation on a connection. It waits for a connection, and on raw TCP for its turn, for at most the
    /// timeout of subscriptions. An operation that was not sent is performed on the next connection.
    private func connected<Value: Sendable>(
        _ method: SocketMethod,
        _ resource: String,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let deadline = clock.uptime + options.subscribeTimeout.withinCentury
        state.withLock { $0.requestCount += 1 }
        defer {
            state.withLock { $0.requestCount -= 1 }
            stopIfIdle()
        }
        do {
            while true {
                let number = try await waitForConnection(until: deadline)
                if address.isRaw { try await takeTurn(until: deadline, method, resource) }
                var keepsTurn = false
                defer { if address.isRaw, !keepsTurn { requestLock.unlock() } }
                do {
                    return try await operation()
                } catch let request as AbandonedRequest {
                    keepsTurn = true
                    Task { await self.waitForReply(to: request) }
                    throw CancellationError()
                } catch let error as HeliumError where error.isOfEndedConnection {
                    state.withLock { $0.noteEnding(number) }
                }
            }
        } catch {
            throw address.failure(error)
        }
    }

    /// - Returns: The number of the connection; `nil` if it ended at once.
    private func waitForConnection(until deadline: Duration) async throws -> Int? {
        let connected = try state.withLock { state -> Signal<Void>? in
            guard !state.isClosed else { throw isClosed }
            guard let connection = state.connection, !connection.isEnding else { return state.connected }
            return nil
        }
        // The run starts after the signal was taken, because a run that fails at once must find this waiter.
        start()
        if let connected {
            let limit = max(deadline - clock.uptime, .zero)
            try await wait(for: connected, limit: limit, phase: .connect, .get, "")
        }
        return state.withLock { $0.connection?.number }
    }

    /// Waits for the responses to the requests before this one. The caller must unlock ``requestLock``.
    private func takeTurn(until deadline: Duration, _ method: SocketMethod, _ resource: String) async throws {
        enum Turn { case awaited, taken, givenUp }
        let turn = Guarded(Turn.awaited)
        do {
            try await Deadline(after: max(deadline - clock.uptime, .zero), clock: clock).race { [requestLock] in
                try await requestLock.lock()
                let isWanted = turn.withLock { turn in
                    if turn == .givenUp { return false }
                    turn = .taken
                    return true
                }
                if !isWanted { requestLock.unlock() }
            }
        } catch {
            // The turn may have come at the same moment.
            let isTaken = turn.withLock { turn in
                defer { turn = .givenUp }
                return turn == .taken
            }
            if isTaken { requestLock.unlock() }
            guard error is DeadlineExceeded else { throw error }
            throw address.timeout(.queue, after: options.subscribeTimeout, method, resource)
        }
    }

    /// Waits for a signal.
    func wait(
        for signal: Signal<Void>,
        limit: Duration,
        phase: TransferPhase,
        _ method: SocketMethod,
        _ resource: String
    ) async throws {
        do {
            try await Deadline(after: limit, clock: clock).race { try await signal.value() }
        } catch is DeadlineExceeded {
            throw address.timeout(phase, after: limit, method, resource)
        }
    }

    var isClosed: HeliumError { address.error(.clientClosed, .notSent, "the socket is closed") }

    // MARK: Exchanges

    /// Sends a request of the socket itself and waits for its response, whatever its status is. On raw TCP it waits for
    /// its turn until the connection ends, because each request before it is limited.
    ///
    /// - Throws: `HeliumError`; ``CosmError`` of kind `unencodable`; `CancellationError`.
    func exchange(
        _ method: SocketMethod,
        _ resource: String,
        parameters: [String: String] = [:],
        body: (some Encodable & Sendable)?
    ) async throws -> SocketFrame {
        guard address.isRaw else { return try await exchangeNow(method, resource, parameters, body) }
        return try await requestLock.withLock {
            do {
                return try await exchangeNow(method, resource, parameters, body)
            } catch let request as AbandonedRequest {
                // It is cancelled with its connection only, on which no other request may follow.
                state.withLock { state in
                    state.noteEnding(request.connection.number)
                    state.pending[request.token] = nil
                }
                throw CancellationError()
            }
        }
    }

    /// Whether a request was passed to the connection, or is not wanted any more.
    private enum Sending {
        case waiting, begun, givenUp

        mutating func begin() -> Bool {
            if self == .waiting { self = .begun }
            return self == .begun
        }

        mutating func giveUp() -> Bool {
            if self == .waiting { self = .givenUp }
            return self == .givenUp
        }
    }

    /// A request over raw TCP that was cancelled, and whose response is still to come.
    private struct AbandonedRequest: Error {
        let token: String
        let reply: Signal<SocketFrame>
        let connection: SocketState.Connection
    }

    /// Waits for the response to a request that was cancelled, and ends its turn. The original server refuses both of two
    /// requests that it reads at once (Docs/Protocols/Cosm.md §14.1).
    private func waitForReply(to request: AbandonedRequest) async {
        do {
            _ = try await Deadline(after: options.replyTimeout, clock: clock).race { try await request.reply.value() }
        } catch is DeadlineExceeded {
            endIfRaw(request.connection)
        } catch {
            // The connection has ended.
        }
        forget(request.token)
        requestLock.unlock()
    }

    private func forget(_ token: String) { state.withLock { _ = $0.pending.removeValue(forKey: token) } }

    private func exchangeNow(
        _ method: SocketMethod,
        _ resource: String,
        _ parameters: [String: String],
        _ body: (some Encodable & Sendable)?
    ) async throws -> SocketFrame {
        // The token is unpredictable, so that no other party can forge a response.
        let random = options.connection.random
        let token = "\(random.bits())\(random.bits())"
        let text = try SocketRequest(
            method: method,
            resource: resource,
            key: address.key,
            parameters: parameters,
            body: body,
            token: token
        ).text()
        try Task.checkCancellation()
        let reply = Signal<SocketFrame>()
        let current = state.withLock { state -> SocketState.Connection? in
            guard !state.isClosed, let connection = state.connection, !connection.isEnding else { return nil }
            state.pending[token] = .init(method: method, resource: resource, reply: reply)
            return connection
        }
        guard let current else {
            throw address.error(
                .connectionLost,
                .notSent,
                "the connection was lost",
                method: method,
                resource: resource
            )
        }
        let limit = options.replyTimeout
        let sending = Guarded(Sending.waiting)
        do {
            let frame = try await Deadline(after: limit, clock: clock).race { [address] in
                guard sending.withLock({ $0.begin() }) else { throw CancellationError() }
                if address.isRaw {
                    // One that has begun is sent, so that its response can be waited for.
                    try await Task { try await current.connection.send(text: text) }.value
                } else {
                    try await current.connection.send(text: text)
                }
                return try await reply.value()
            }
            forget(token)
            return frame
        } catch is CancellationError where address.isRaw {
            if sending.withLock({ $0.giveUp() }) {
                forget(token)
                throw CancellationError()
            }
            throw AbandonedRequest(token: token, reply: reply, connection: current)
        } catch {
            forget(token)
            guard error is DeadlineExceeded else { throw error }
            endIfRaw(current)
            throw address.timeout(.firstByte, after: limit, method, resource)
        }
    }

    /// Ends a connection of raw TCP on which a request got no response in time. It may still come, so the next request goes to
    /// another connection.
    private func endIfRaw(_ connection: SocketState.Connection) {
        guard address.isRaw else { return }
        state.withLock { $0.noteEnding(connection.number) }
        Task { await connection.connection.end() }
    }
}

extension HeliumError {
    /// Whether a connection has ended before a request was sent on it, so that the request can be sent on the next one.
    fileprivate var isOfEndedConnection: Bool { delivery == .notSent && (isTransient || kind == .clientClosed) }
}
