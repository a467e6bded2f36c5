internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

extension CosmSocket {
    /// Subscribes to a resource: registers a follower, and returns the subscription that reads from it.
    ///
    /// - Throws: ``CosmError``; `CancellationError`.
    func follow<Value: LiveValue>(
        _ resource: LiveResource,
        reader: any ResourceReader,
        options: SubscriptionOptions
    ) async throws -> LiveSubscription<Value> {
        let follower = LiveFollower<Value>(
            resource,
            reader: reader,
            options: options,
            clock: clock,
            random: self.options.connection.random,
            noticeLimit: noticeLimit
        )
        let number = try await join(resource, follower)
        return LiveSubscription(follower, number: number, on: self)
    }

    /// The time within which a lost connection is noticed, and the datapoints of its last update have arrived; `nil` if
    /// nothing limits it.
    private var noticeLimit: Duration? {
        let timeouts = options.connection.timeouts
        let reply = options.replyTimeout.withinCentury
        let limit = address.isRaw ? timeouts.pingInterval.map { $0.withinCentury + reply } : timeouts.silence
        return limit.map { max($0.withinCentury * 2, .seconds(300)) }
    }

    /// Adds a follower to the registration of a resource. Returns once the server has confirmed the registration.
    ///
    /// - Returns: The number by which ``leave(_:_:)`` removes the follower.
    /// - Throws: ``CosmError``; `CancellationError`. The follower is removed then.
    func join(_ resource: LiveResource, _ follower: any SocketFollower) async throws -> Int {
        let path = resource.path
        typealias Joined = (number: Int, settled: Signal<Void>?, work: AsyncStream<String>.Continuation?)
        let (number, settled, work) = try state.withLock { state -> Joined in
            guard !state.isClosed else { throw address.failure(isClosed) }
            let number = state.number()
            var registration = state.registrations[path] ?? SocketState.Registration()
            registration.followers[number] = follower
            guard registration.token == nil || registration.isUnsubscribing else {
                // Under the lock, so that no push arrives earlier.
                follower.confirmed(after: nil)
                state.registrations[path] = registration
                return (number, nil, nil)
            }
            state.registrations[path] = registration
            return (number, registration.settled, state.beginReconciling(path) ? state.connection?.work : nil)
        }
        work?.yield(path)
        start()
        guard let settled else { return number }
        do {
            try await wait(for: settled, limit: options.subscribeTimeout, phase: .total, .subscribe, path)
            return number
        } catch {
            let refusal = state.withLock { $0.registrations[path]?.refusal }
            leave(path, number)
            // The confirmation may have come at the same moment, and have begun a read.
            follower.ended(nil)
            if let refusal, (error as? HeliumError)?.kind == .timedOut { throw refusal }
            throw address.failure(error)
        }
    }

    /// Removes a follower.
    ///
    /// - Returns: A signal that is settled when the server has removed the registration of the last follower, another
    ///   follower keeps it, or the connection has ended; `nil` if there is nothing to wait for.
    @discardableResult
    func leave(_ resource: String, _ number: Int) -> Signal<Void>? {
        let (left, work) = state.withLock { state -> (Signal<Void>?, AsyncStream<String>.Continuation?) in
            guard var registration = state.registrations[resource],
                registration.followers.removeValue(forKey: number) != nil
            else {
                return (nil, nil)
            }
            guard registration.followers.isEmpty else {
                state.registrations[resource] = registration
                return (nil, nil)
            }
            guard state.connection != nil, registration.token != nil || registration.isReconciling else {
                state.registrations[resource] = nil
                return (nil, nil)
            }
            state.registrations[resource] = registration
            return (registration.left, state.beginReconciling(resource) ? state.connection?.work : nil)
        }
        work?.yield(resource)
        stopIfIdle()
        return left
    }
}
