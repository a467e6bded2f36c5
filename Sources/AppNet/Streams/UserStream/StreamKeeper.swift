internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
internal import HeliumWebSocket
internal import Synchronization

/// The owner of a user stream's connection and its subscriptions.
final class StreamKeeper: Sendable {
    struct Connection {
        let number: Int
        /// The ids of the subscriptions whose lists need to be read.
        let work: AsyncStream<String>.Continuation
        /// The connection's id; `nil` until the service has named it.
        var id: String?
        var isResumed = false
    }

    struct State {
        /// The subscriptions by their ids. Each frame has the ids of the subscriptions that it is for.
        var followers: [ByteText: any StreamFollowing] = [:]
        /// The ids of the subscriptions that the service may have on the stream: they were requested, and the service
        /// has not confirmed that they are deleted.
        var requested: Set<ByteText> = []
        /// The locks of the ids for which requests are in progress or wait.
        var turns: [ByteText: (lock: AsyncLock, userCount: Int)] = [:]
        var connection: Connection?
        /// The error of the last connection; `nil` if there is a connection, or if none has failed.
        var lastFailure: (any Error)?
        /// The id of the last connection.
        var lastID: String?
        var lastNumber = 0
        var run: Task<Void, Never>?
        var isClosed = false

        /// Removes all subscriptions, and returns them.
        mutating func takeFollowers() -> [any StreamFollowing] {
            defer { followers = [:] }
            return Array(followers.values)
        }
    }

    let client: AppNetClient
    let options: UserStreamOptions
    let endpoint: StreamEndpoint
    let currentState = CurrentValue(ConnectionState.idle)
    let state = Guarded(State())
    /// The id for the first connection, including all its attempts. Each new id would create another stream.
    private let chosenID: String

    init(client: AppNetClient, options: UserStreamOptions) {
        self.client = client
        self.options = options
        endpoint = StreamEndpoint(
            url: client.settings.userStreamURL,
            client: client,
            options: options.connection
        )
        chosenID = options.connectionID ?? Self.randomID(client.settings.environment.random)
    }

    var connectionID: String? { state.withLock { $0.connection?.id ?? $0.lastID } }

    /// Returns 128 random bits.
    func randomID() -> String { Self.randomID(endpoint.random) }

    private static func randomID(_ random: RandomSource) -> String {
        [random.bits(), random.bits()]
            .map { bits in
                let digits = String(bits, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            .joined()
    }
}

// MARK: Subscriptions

extension StreamKeeper {
    /// The maximum number of subscriptions of a stream (Docs/Protocols/AppNet.md §2.14, §6.2).
    private var maximumSubscriptions: Int { client.dialect == .appNet ? 50 : 16 }

    /// - Throws: ``AppNetError`` of kind `invalidRequest`.
    func join(_ id: String, _ follower: any StreamFollowing) throws(AppNetError) {
        let limit = maximumSubscriptions
        typealias Joined = (replaced: (any StreamFollowing)?, work: AsyncStream<String>.Continuation?, refusal: String?)
        let (replaced, work, refusal) = state.withLock { state -> Joined in
            if state.isClosed { return (nil, nil, "the stream is closed") }
            if state.followers[id] == nil, state.followers.count >= limit {
                return (nil, nil, "a stream can have at most \(limit) subscriptions")
            }
            let replaced = state.followers.updateValue(follower, forKey: ByteText(id))
            if state.run == nil { start(&state) }
            guard let connection = state.connection, connection.id != nil else { return (replaced, nil, nil) }
            follower.connected()
            return (replaced, connection.work, nil)
        }
        work?.yield(id)
        if let refusal { throw AppNetError(.invalidRequest, refusal) }
        replaced?.ended(nil)
    }

    /// The longest wait for the service when something is deleted.
    private static let deletionLimit = Duration.seconds(10)

    /// Ends a subscription, and deletes it on the service. Does nothing if another subscription has taken its id.
    ///
    /// Returns when the service has responded, after ten seconds at the latest. Without a connection it returns at once,
    /// and the next connection begins with the deletion.
    func leave(_ id: String, _ follower: any StreamFollowing) async {
        guard remove(id, follower) else { return }
        await wait(for: Task { await self.delete(id) })
    }

    /// Waits for a deletion, at most ``deletionLimit``. The service must hear of it even if the calling task is cancelled.
    private func wait(for deletion: Task<Void, Never>) async {
        await Task { [clock = endpoint.clock] in
            try? await Deadline(after: Self.deletionLimit, clock: clock).race { await deletion.value }
        }.value
    }

    /// Ends a subscription without waiting.
    func leaveSoon(_ id: String, _ follower: any StreamFollowing) {
        guard remove(id, follower) else { return }
        Task { await self.delete(id) }
    }

    /// - Returns: Whether the subscription must be deleted on the service now.
    private func remove(_ id: String, _ follower: any StreamFollowing) -> Bool {
        let mustDelete = state.withLock { state in
            guard state.followers[id] === follower else { return false }
            state.followers[id] = nil
            return state.connection?.id != nil && state.requested.contains(ByteText(id))
        }
        follower.ended(nil)
        return mustDelete
    }

    /// Deletes a subscription on the service, unless the id is used again: the request of the next subscription replaces
    /// the old one. If the service cannot be reached, the next connection begins with the deletion.
    func delete(_ id: String) async {
        let key = ByteText(id)
        try? await inTurn(of: id) {
            let connectionID = state.withLock { state in
                state.followers[id] == nil && state.requested.contains(key) ? state.connection?.id : nil
            }
            guard let connectionID else { return }
            do {
                try await client.limited(to: Self.deletionLimit).userStreams.delete(
                    connectionID: connectionID,
                    subscriptionID: id
                )
            } catch let error as AppNetError where error.delivery == .answered && !error.isTransient {
                // The service does not have it.
            }
            state.withLock { state in
                // Another stream may have its own subscription with this id by now.
                if state.lastID?.hasSameBytes(as: connectionID) == true { state.requested.remove(key) }
            }
        }
    }

    /// Records that a list is requested for a subscription.
    ///
    /// - Returns: The connection; `nil` if the subscription has ended.
    func beginRequest(_ id: String, of follower: any StreamFollowing) -> Connection? {
        state.withLock { state in
            guard state.followers[id] === follower, let connection = state.connection, connection.id != nil else {
                return nil
            }
            guard client.dialect == .appNet else { return connection }
            if state.requested.count >= 2 * maximumSubscriptions {
                // The service has no more, whatever it responded to their deletion.
                state.requested.formIntersection(state.followers.keys)
            }
            state.requested.insert(ByteText(id))
            return connection
        }
    }

    /// Runs `body` when no other request for a subscription id is in progress, so that the service receives the requests
    /// of subscriptions that follow each other in their order.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits; the error of `body`.
    func inTurn(of id: String, _ body: () async throws -> Void) async throws {
        let key = ByteText(id)
        let lock = state.withLock { state in
            let lock = state.turns[key]?.lock ?? AsyncLock()
            state.turns[key] = (lock, (state.turns[key]?.userCount ?? 0) + 1)
            return lock
        }
        defer {
            state.withLock { state in
                state.turns[key]?.userCount -= 1
                if state.turns[key]?.userCount == 0 { state.turns[key] = nil }
            }
        }
        try await lock.withLock(body)
    }
}

// MARK: Lifetime

extension StreamKeeper {
    private func start(_ state: inout State) {
        state.run = Task { await self.run() }
    }

    private func run() async {
        let supervised = SupervisedConnection<StreamConnection>(
            policy: options.connection.backoff,
            clock: endpoint.clock,
            random: endpoint.random
        ) { [self] in
            try await noting { try await endpoint.connect(query()) }
        } use: { [self] connection, confirm in
            try await noting { try await use(connection, confirm) }
        }
        guard let failure = await supervised.run(reportingTo: currentState), !(failure is CancellationError) else {
            return
        }
        let error = endpoint.failure(failure)
        let followers = state.withLock { state in
            // A subscription that joins after this belongs to the next run, whose states follow.
            state.run = nil
            currentState.set(.closed(reason: error))
            return state.takeFollowers()
        }
        for follower in followers { follower.ended(error) }
        currentState.deliver()
    }

    /// Records the error of a connection for callers that wait for a subscription.
    private func noting<Value: Sendable>(_ step: () async throws -> Value) async throws -> Value {
        do { return try await step() } catch {
            state.withLock { $0.lastFailure = error }
            throw error
        }
    }

    /// Returns the error of a subscription that timed out, with its cause.
    ///
    /// - Parameter cause: The error of the last request for the list; `nil` if there was none.
    func timeoutError(_ name: String, _ limit: Duration, cause: AppNetError?) -> AppNetError {
        let (failure, isNamed) = state.withLock { ($0.lastFailure, $0.connection?.id != nil) }
        let cause = cause ?? (failure as? HeliumError).map { AppNetError($0, call: nil, secrets: client.secrets()) }
        let silence =
            isNamed ? "the service does not respond to the request for the list" : "the server does not respond"
        // The service may have received the subscription's request on an earlier connection.
        var underlying = cause?.underlying
        if underlying?.delivery == .notSent { underlying?[fact: \.delivery] = .maybeSent }
        return AppNetError(
            .timedOut,
            "no subscription to \(name) within \(limit): \(cause.map { $0.serverMessage ?? $0.message } ?? silence)",
            delivery: .maybeSent,
            underlying: underlying
        )
    }

    /// Returns the query of a connection (Docs/Protocols/AppNet.md §2.14).
    private func query() -> [(name: String, value: String)] {
        var query = client.parameters.connectionQuery(in: client.dialect)
        guard client.dialect == .appNet else { return query }
        query.append(("connection_id", state.withLock { $0.lastID } ?? chosenID))
        if options.isAutoDeleted { query.append(("auto_delete", "1")) }
        return query
    }

    /// Ends the stream when its last owner is gone.
    func abandon() {
        state.withLock { $0.run }?.cancel()
        currentState.finish(.closed(reason: nil))
    }

    func close() async {
        let (run, wasConnected, followers, wasClosed) = state.withLock { state in
            defer { state.isClosed = true }
            return (state.run, state.connection != nil, state.takeFollowers(), state.isClosed)
        }
        for follower in followers { follower.ended(nil) }
        run?.cancel()
        await run?.value
        currentState.finish(.closed(reason: nil))
        // The service may have created a stream without this side having seen its id.
        let id = state.withLock { $0.lastID } ?? (run == nil ? nil : chosenID)
        guard !wasClosed, let id, client.dialect == .appNet, !options.isAutoDeleted else { return }
        // If this call fails, the service deletes the stream itself a little later.
        let deletion = Task { [client] in
            _ = try? await client.limited(to: Self.deletionLimit).userStreams.delete(connectionID: id)
        }
        // Without a connection the service can probably not be reached either.
        if wasConnected { await wait(for: deletion) }
    }
}
