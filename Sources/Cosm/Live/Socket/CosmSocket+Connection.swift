internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

/// The handling of one connection, from its opening to its end.
extension CosmSocket {
    func use(_ connection: any TextConnection, _ confirm: @escaping @Sendable () -> Void) async throws {
        let (work, continuation) = AsyncStream.makeStream(of: String.self)
        let (number, resources, connected, lost) = state.withLock { state in
            // A previous connection may not have been removed yet.
            let lost = state.disconnect(at: clock.uptime)
            let number = state.number()
            state.connection = .init(number: number, connection: connection, work: continuation)
            let resources = state.registrations.keys.filter { state.beginReconciling($0) }
            defer { state.connected = Signal() }
            return (number, resources, state.connected, lost)
        }
        failLost(lost)
        for resource in resources { continuation.yield(resource) }
        connected.settle()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                // It runs on the connection's executor, so that frames do not change threads.
                group.addTask(executorPreference: connection.executor) {
                    try await self.read(connection, confirm)
                }
                group.addTask { try await self.reconcile(work, continuation) }
                if address.isRaw { group.addTask { try await self.probe() } }
                // The task that ends first has found that the connection has ended.
                defer { group.cancelAll() }
                try await group.next()
            }
            await disconnect(connection, number)
        } catch {
            await disconnect(connection, number)
            throw error
        }
    }

    private func disconnect(_ connection: any TextConnection, _ number: Int) async {
        let lost = state.withLock { state in
            state.connection?.number == number ? state.disconnect(at: clock.uptime) : []
        }
        failLost(lost)
        // Pending unsubscriptions have ended with the connection. It may not be needed any more.
        stopIfIdle()
        await connection.end()
    }

    private func failLost(_ requests: [SocketState.Pending]) {
        for pending in requests {
            let error = address.error(
                .connectionLost,
                .maybeSent,
                "the connection was lost before the response",
                method: pending.method,
                resource: pending.resource
            )
            pending.reply.settle(.failure(error))
        }
    }

    // MARK: Reading

    private func read(_ connection: any TextConnection, _ confirm: () -> Void) async throws {
        while let text = try await connection.receiveText() {
            guard let frame = try? SocketFrame(text) else {
                // The frame may have been a push for any of them.
                for follower in allFollowers { follower.mayHaveMissed() }
                continue
            }
            if frame.isPush { push(frame) } else if try answer(frame) { confirm() }
        }
    }

    private var allFollowers: [any SocketFollower] {
        state.withLock { state in state.registrations.values.flatMap { $0.followers.values } }
    }

    private func push(_ frame: SocketFrame) {
        let followers = state.withLock { $0.followers(token: frame.token, resource: frame.resource) }
        for follower in followers {
            if case .unreadable = frame.body { follower.mayHaveMissed() } else { follower.received(frame.body) }
        }
    }

    /// - Returns: Whether the frame was the response to a request.
    /// - Throws: `HeliumError` if the server reports an error that belongs to no known request. The connection is
    ///   closed then.
    private func answer(_ frame: SocketFrame) throws -> Bool {
        var confirmed: SocketState.Registration?
        let pending = state.withLock { state -> SocketState.Pending? in
            guard let (token, pending) = state.takePending(frame) else { return nil }
            if pending.method == .subscribe, frame.isSuccess {
                confirmed = state.confirm(pending.resource, token: token)
            }
            return pending
        }
        guard let pending else {
            if frame.isSuccess || frame.token != nil { return false }
            throw address.error(.protocolViolated, .answered, "the server rejected a request without naming it")
        }
        // This happens before the next frame is read, which may be the first push.
        if let confirmed {
            for follower in confirmed.followers.values { follower.confirmed(after: confirmed.lostAt) }
            confirmed.settled.settle()
            confirmedResources.send(pending.resource)
        }
        pending.reply.settle(.success(frame))
        return true
    }

    // MARK: Registrations

    /// Makes the server's registrations match the followers: one step at a time for a resource, concurrently for
    /// several resources.
    private func reconcile(_ work: AsyncStream<String>, _ end: AsyncStream<String>.Continuation) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await resource in work {
                group.addTask {
                    do { try await self.reconcile(resource) } catch {
                        // No further steps are started, because the connection has ended.
                        end.finish()
                        throw error
                    }
                }
            }
        }
        try Task.checkCancellation()
    }

    private func reconcile(_ resource: String) async throws {
        while true {
            let (step, left) = state.withLock { $0.nextStep(resource) }
            left?.settle()
            switch step {
            case .done:
                stopIfIdle()
                return
            case .subscribe:
                let frame = try await exchangeWhenQueueHasRoom(.subscribe, resource)
                if !frame.isSuccess, try await !mayGoOn(after: frame, resource) { return }
            case .unsubscribe:
                // An error means that the server does not have the subscription, which is the same outcome.
                _ = try await exchangeWhenQueueHasRoom(.unsubscribe, resource)
                state.withLock { $0.forget(resource) }?.settle()
            }
        }
    }

    /// Ends a registration that the server refuses, or waits if the server may accept it later. The connection and the
    /// other registrations go on.
    ///
    /// - Returns: Whether the registration is to be compared with its followers again.
    private func mayGoOn(after frame: SocketFrame, _ resource: String) async throws -> Bool {
        let refusal = CosmError(frame, to: .subscribe, resource, on: address)
        let random = options.connection.random.unit()
        // One lock for the decision: a follower that leaves in between would wait for ever.
        let step = state.withLock { $0.refused(resource, refusal, policy: options.backoff, random: random) }
        switch step {
        case .goOn: return true
        case .ended(let registration):
            end(registration, refusal)
            stopIfIdle()
            return false
        case .pause(let number, let delay, let left):
            left.settle()
            // Without followers the registration may be removed meanwhile.
            try await clock.sleep(for: delay)
            return state.withLock { $0.resume(resource, after: number) }
        }
    }

    // MARK: Keep-alive

    /// Keeps a raw TCP connection alive by reading a subscribed resource, because raw TCP has no pings
    /// (Docs/Protocols/Cosm.md §14.4).
    private func probe() async throws {
        guard let interval = options.connection.timeouts.pingInterval else {
            return try await clock.sleep(for: .century)
        }
        while true {
            try await clock.sleep(for: max(interval, .milliseconds(1)))
            guard let resource = state.withLock({ $0.registrations.keys.first }) else { continue }
            _ = try await exchangeWhenQueueHasRoom(.get, resource)
        }
    }

    // MARK: Requests of the socket itself

    /// The delay before a request that found the queue full is tried again.
    private static let fullQueueDelay = Duration.milliseconds(100)

    /// Sends a request and returns the response. Waits while the queue of messages is full, at the longest until the
    /// connection ends.
    private func exchangeWhenQueueHasRoom(_ method: SocketMethod, _ resource: String) async throws -> SocketFrame {
        while true {
            do {
                return try await exchange(method, resource, body: NoBody?.none)
            } catch let error as HeliumError where error.ceiling == .queuedMessages {
                try await clock.sleep(for: Self.fullQueueDelay)
            }
        }
    }
}
