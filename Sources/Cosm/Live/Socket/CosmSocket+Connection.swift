internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

/// One connection, from its opening to its end.
extension CosmSocket {
    func use(_ connection: any TextConnection, _ confirm: @escaping @Sendable () -> Void) async throws {
        let (work, continuation) = AsyncStream.makeStream(of: String.self)
        let (number, resources, connected, lost) = state.withLock { state in
            // One that is ending may still be there.
            let lost = state.disconnect()
            let number = state.number()
            state.connection = .init(number: number, connection: connection, work: continuation)
            let resources = state.registrations.keys.filter { state.beginReconciling($0) }
            defer { state.connected = Signal() }
            return (number, resources, state.connected, lost)
        }
        tellLost(lost)
        for resource in resources { continuation.yield(resource) }
        connected.settle()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Where the bytes arrive: the frames change no thread.
                group.addTask(executorPreference: connection.executor) {
                    try await self.read(connection, confirm)
                }
                group.addTask { try await self.reconcile(work, continuation) }
                if address.isRaw { group.addTask { try await self.probe() } }
                // Whichever ends first has found that the connection is over.
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
            state.connection?.number == number ? state.disconnect() : []
        }
        tellLost(lost)
        // What was to be unsubscribed from has gone with the connection: it may have been the last that needed one.
        stopIfIdle()
        await connection.end()
    }

    private func tellLost(_ requests: [SocketState.Pending]) {
        for pending in requests {
            let error = address.error(
                .connectionLost,
                .maybeSent,
                "the connection was lost before the answer",
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
                // It may have been a push of anything.
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

    /// - Returns: Whether it was the answer to something.
    /// - Throws: `HeliumError` where the server complains of nobody knows what: then nothing more can be relied on.
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
            throw address.error(.protocolViolated, .answered, "the server refused something without saying what")
        }
        // Before the next frame is read: it may be the first push.
        if let confirmed {
            for follower in confirmed.followers.values { follower.confirmed() }
            confirmed.settled.settle()
        }
        pending.reply.settle(.success(frame))
        return true
    }

    // MARK: Registrations

    /// Makes the server's registrations agree with the followers: step by step for a resource, concurrently for several.
    private func reconcile(_ work: AsyncStream<String>, _ end: AsyncStream<String>.Continuation) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await resource in work {
                group.addTask {
                    do { try await self.reconcile(resource) } catch {
                        // Nothing more is begun: the connection is over.
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
            let step = state.withLock { $0.nextStep(resource) }
            switch step {
            case .done:
                stopIfIdle()
                return
            case .subscribe:
                let frame = try await exchange(.subscribe, resource, body: NoBody?.none)
                if !frame.isSuccess { try refuse(frame, resource) }
            case .unsubscribe:
                // A refusal means that the server doesn't know it: all the same.
                _ = try await exchange(.unsubscribe, resource, body: NoBody?.none)
                state.withLock { $0.forget(resource) }
            }
        }
    }

    /// Ends a registration that the server refuses, unless the server itself is at fault.
    private func refuse(_ frame: SocketFrame, _ resource: String) throws {
        let refusal = CosmError(frame, to: .subscribe, resource, on: address)
        if let status = frame.status, status >= 500, let error = refusal.underlying { throw error }
        if let registration = state.withLock({ $0.remove(resource) }) { end(registration, refusal) }
    }

    // MARK: Signs of life

    /// Raw TCP has no pings: something that is subscribed to is read in their place (§14.4).
    private func probe() async throws {
        guard let interval = options.connection.timeouts.pingInterval else {
            return try await clock.sleep(for: .seconds(100 * 366 * 86_400))
        }
        while true {
            try await clock.sleep(for: max(interval, .milliseconds(1)))
            guard let resource = state.withLock({ $0.registrations.keys.first }) else { continue }
            _ = try await exchange(.get, resource, body: NoBody?.none)
        }
    }
}
