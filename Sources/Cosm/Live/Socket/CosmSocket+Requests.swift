internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

extension CosmSocket {
    /// Reads, changes, creates or deletes by the socket: what REST does at the same path (§14.2).
    ///
    /// Waits for the connection if there is none. A request whose connection breaks before its answer fails, and may have
    /// been carried out.
    ///
    /// - Parameters:
    ///   - method: What to do.
    ///   - resource: The path below the version: `/feeds/504`.
    ///   - parameters: The parameters of a query.
    ///   - body: The document of `put` and `post`.
    /// - Returns: The answer, of a status from 200 to 299.
    /// - Throws: ``CosmError``, of the kinds that REST's answers have; `CancellationError`.
    public func request(
        _ method: SocketMethod,
        _ resource: String,
        parameters: [String: String] = [:],
        body: (some Encodable & Sendable)?
    ) async throws -> SocketReply {
        let frame = try await connected {
            try await self.exchange(method, resource, parameters: parameters, body: body)
        }
        guard frame.isSuccess else { throw CosmError(frame, to: method, resource, on: address) }
        return SocketReply(frame)
    }

    /// Reads or deletes by the socket.
    ///
    /// - Parameters:
    ///   - method: What to do.
    ///   - resource: The path below the version: `/feeds/504`.
    ///   - parameters: The parameters of a query.
    /// - Returns: The answer, of a status from 200 to 299.
    /// - Throws: ``CosmError``, of the kinds that REST's answers have; `CancellationError`.
    @discardableResult
    public func request(
        _ method: SocketMethod,
        _ resource: String,
        parameters: [String: String] = [:]
    ) async throws -> SocketReply {
        try await request(method, resource, parameters: parameters, body: NoBody?.none)
    }

    /// Does something that needs a connection; it may wait for one as long as a subscription may.
    private func connected<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        state.withLock { $0.requestCount += 1 }
        defer {
            state.withLock { $0.requestCount -= 1 }
            stopIfIdle()
        }
        do {
            try await waitForConnection()
            return try await operation()
        } catch {
            throw address.failure(error)
        }
    }

    private func waitForConnection() async throws {
        let stream = try state.withLock { state -> AsyncThrowingStream<Void, any Error>? in
            guard !state.isClosed else { throw isClosed }
            guard state.connection == nil else { return nil }
            let (stream, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
            state.connectionWaiters.append(continuation)
            return stream
        }
        // Only now: a run that fails at once has to find who waits for it.
        start()
        guard let stream else { return }
        try await wait(stream, limit: options.subscribeTimeout, phase: .connect, .get, "")
    }

    /// Waits for the end of a stream.
    func wait(
        _ stream: AsyncThrowingStream<Void, any Error>,
        limit: Duration,
        phase: TransferPhase,
        _ method: SocketMethod,
        _ resource: String
    ) async throws {
        do {
            try await Deadline(after: limit, clock: clock).race {
                for try await _ in stream {}
                // A cancelled stream just ends.
                try Task.checkCancellation()
            }
        } catch is DeadlineExceeded {
            throw address.timeout(phase, after: limit, method, resource)
        }
    }

    var isClosed: HeliumError { address.error(.clientClosed, .notSent, "the socket is closed") }

    // MARK: On the connection

    /// Sends a request and waits for its answer, whatever that says.
    ///
    /// - Throws: `HeliumError`; ``CosmError`` of kind `unencodable`; `CancellationError`.
    func exchange(
        _ method: SocketMethod,
        _ resource: String,
        parameters: [String: String] = [:],
        body: (some Encodable & Sendable)?
    ) async throws -> SocketFrame {
        guard address.isRaw else { return try await exchangeNow(method, resource, parameters, body) }
        return try await line.run { try await exchangeNow(method, resource, parameters, body) }
    }

    private func exchangeNow(
        _ method: SocketMethod,
        _ resource: String,
        _ parameters: [String: String],
        _ body: (some Encodable & Sendable)?
    ) async throws -> SocketFrame {
        // Nobody can guess it, and thus pass an answer off as the server's.
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
        let (replies, continuation) = AsyncThrowingStream.makeStream(of: SocketFrame.self)
        let connection = state.withLock { state -> (any TextConnection)? in
            guard let connection = state.connection else { return nil }
            state.pending[token] = .init(method: method, resource: resource, reply: continuation)
            return connection.connection
        }
        guard let connection else {
            throw address.error(
                .connectionLost,
                .notSent,
                "the connection was lost",
                method: method,
                resource: resource
            )
        }
        defer { state.withLock { _ = $0.pending.removeValue(forKey: token) } }
        let limit = options.replyTimeout
        do {
            return try await Deadline(after: limit, clock: clock).race {
                try await connection.send(text: text)
                for try await frame in replies { return frame }
                throw CancellationError()
            }
        } catch is DeadlineExceeded {
            throw address.timeout(.firstByte, after: limit, method, resource)
        }
    }
}
