internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

/// One subscription as the stream sees it, whatever its values. Called by the one who reads the connection, in the
/// order of the frames.
protocol StreamFollowing: Sendable {
    /// A connection is there: what it brings waits until the list has been read.
    func connected()

    func received(_ frame: EventFrame) -> StreamFollowerNeed?

    /// Something came that can't be read.
    func missed()

    /// Subscribes, and reads what may have been missed, until all is told.
    ///
    /// - Returns: Whether it goes on; `false` if the service refuses it for good.
    /// - Throws: `CancellationError`, when the connection is over; ``DoubtfulConnection``.
    func catchUp(_ parameters: StreamSubscriptionParameters, isResumed: Bool) async throws -> Bool

    /// The subscription is over: why, or `nil` for an end from here.
    func ended(_ error: (any Error)?)

    /// Whether it is over.
    var isOver: Bool { get }
}

/// The service seems not to know the connection any more, which we have not noticed.
struct DoubtfulConnection: Error {}

/// What a follower needs after an event.
enum StreamFollowerNeed {
    /// To read its list.
    case reading
    /// Nothing any more: it is over.
    case leaving
}

/// Follows one topic for one consumer: holds what it knows, reads what it may have missed, and keeps updates until they
/// are taken.
final class StreamFollower<Value: StreamValue>: StreamFollowing {
    private struct State {
        var progress: SubscriptionProgress<Value>
        var isReading = false
        /// Whether the first page has been read.
        var hasBegun = false
        /// Whether nothing has been told but the first page.
        var isFirst = true
        /// Refusals in a row that may mean the connection.
        var refusals = 0
        var isOver = false
    }

    /// The first page; settled with the reason if the subscription ends before.
    let initial = Signal<Page<Value>>()
    let queue: BoundedQueue<StreamUpdate<Value>>
    private let topic: StreamTopic<Value>
    private let client: AppNetClient
    private let options: StreamSubscriptionOptions
    private let backoff: BackoffPolicy
    private let state: Guarded<State>

    init(
        _ topic: StreamTopic<Value>,
        client: AppNetClient,
        options: StreamSubscriptionOptions,
        backoff: BackoffPolicy
    ) {
        self.topic = topic
        self.client = client
        self.options = options
        self.backoff = backoff
        queue = BoundedQueue(limit: options.bufferLimit)
        let progress = SubscriptionProgress<Value>(memory: options.memory, holdLimit: options.bufferLimit)
        state = Guarded(State(progress: progress))
    }
}

// MARK: Told by the stream

extension StreamFollower {
    func connected() {
        state.withLock { state in
            state.progress.beginReading()
            // Whoever was reading on the connection before has ended with it.
            state.isReading = false
        }
    }

    func received(_ frame: EventFrame) -> StreamFollowerNeed? {
        guard let event = try? topic.event(frame) else {
            missed()
            return .reading
        }
        let isInTime = state.withLock { state in
            // Both under the lock, so that updates keep their order.
            state.isOver || queue.offer(state.progress.receive(event))
        }
        guard isInTime else {
            let message = "more than \(options.bufferLimit) updates of \(topic.name) wait"
            ended(AppNetError(.consumerTooSlow, message, delivery: .answered))
            return .leaving
        }
        return state.withLock { $0.progress.mayMiss && !$0.progress.isHolding } ? .reading : nil
    }

    func missed() { state.withLock { $0.progress.missed() } }

    func ended(_ error: (any Error)?) {
        state.withLock { $0.isOver = true }
        queue.finish(throwing: error)
        initial.settle(.failure(error ?? CancellationError()))
    }

    var isOver: Bool { state.withLock { $0.isOver } }
}

// MARK: Reading the list

extension StreamFollower {
    func catchUp(_ parameters: StreamSubscriptionParameters, isResumed: Bool) async throws -> Bool {
        guard beginReading() else { return true }
        var isResumed = isResumed
        var pauses = Backoff(backoff)
        while true {
            do {
                try await readAll(parameters)
                if endReading(isResumed: isResumed) { return true }
                isResumed = false
                // Not at once: a service that always says that there is more would be asked without end.
                try await pause(pauses.failed(random: random.unit()))
            } catch let error as AppNetError {
                if !error.isTransient { try judge(error) }
                guard !isOver, let pause = pauses.failed(random: random.unit()) else {
                    ended(error)
                    return false
                }
                try await self.pause(pause)
            }
        }
    }

    /// The service refuses: ends the subscription, unless it may be the connection that it refuses.
    ///
    /// - Throws: ``DoubtfulConnection`` to try again on another.
    private func judge(_ error: AppNetError) throws {
        let isDoubtful = state.withLock { state in
            guard state.hasBegun, state.refusals < error.doubtsInConnection else { return false }
            state.refusals += 1
            return true
        }
        if isDoubtful { throw DoubtfulConnection() }
        ended(error)
    }

    private var random: RandomSource { client.settings.environment.random }

    private func pause(_ duration: Duration?) async throws {
        try await client.settings.environment.clock.sleep(for: max(duration ?? .zero, .milliseconds(1)))
    }

    private var hasBegun: Bool { state.withLock { $0.hasBegun } }

    private func beginReading() -> Bool {
        state.withLock { state in
            guard !state.isReading, !state.isOver else { return false }
            state.isReading = true
            state.progress.beginReading()
            return true
        }
    }

    /// Subscribes, which the service does only for a list that has nothing more (§2.14); what is between is read
    /// forwards.
    private func readAll(_ parameters: StreamSubscriptionParameters) async throws {
        guard hasBegun else {
            return begin(with: try await subscribe(PageBounds(count: options.initialCount), parameters))
        }
        while true {
            try Task.checkCancellation()
            try await queue.waitForRoom(Self.pageSize)
            let position = state.withLock { $0.progress.position }
            let newest = try await subscribe(PageBounds(since: position, count: Self.pageSize), parameters)
            if !newest.hasMore { return tell(newest) }
            try await readForwards(from: position)
        }
    }

    private func readForwards(from start: ListPosition?) async throws {
        var since = start
        while true {
            try await queue.waitForRoom(Self.pageSize)
            let page = try await topic.read(client, PageBounds(since: since, count: -Self.pageSize), nil)
            tell(page)
            guard page.hasMore else { return }
            guard let next = page.meta.maxID.map({ ListPosition($0) }), next != since else {
                throw AppNetError(.brokenList, "the list says that there is more, and not where", delivery: .answered)
            }
            since = next
        }
    }

    private static var pageSize: Int { 200 }

    /// Reads a page with a subscription, which is there if the answer names it.
    private func subscribe(
        _ bounds: PageBounds,
        _ parameters: StreamSubscriptionParameters
    ) async throws -> Page<Value> {
        let page = try await topic.read(client, bounds, parameters)
        let isNamed = page.meta.subscriptionID != nil || page.meta.subscriptionIDs?.isEmpty == false
        // Those of a page in the middle are not made; pnut.io's answers are not documented.
        guard isNamed || client.dialect == .pnut || (page.hasMore && bounds.since != nil) else {
            let message = "the service answered \(topic.name) without subscribing to it"
            throw AppNetError(.notSubscribed, message, delivery: .answered)
        }
        return page
    }

    private func begin(with page: Page<Value>) {
        state.withLock { state in
            state.progress.begin(with: page)
            state.hasBegun = true
        }
        initial.settle(.success(page))
    }

    /// Tells a page, for which there is room: while the list is read nobody else tells anything.
    private func tell(_ page: Page<Value>) {
        state.withLock { _ = queue.offer($0.progress.read(page), isForced: true) }
    }

    /// - Returns: Whether all is told; `false` if something was missed meanwhile.
    private func endReading(isResumed: Bool) -> Bool {
        state.withLock { state in
            if !state.progress.mayMiss {
                let updates = state.progress.endReading(isResumed: state.isFirst ? nil : isResumed)
                _ = queue.offer(updates, isForced: true)
                state.isFirst = false
                state.refusals = 0
            }
            state.isReading = state.progress.mayMiss
            if state.isReading { state.progress.beginReading() }
            return !state.isReading
        }
    }
}

extension AppNetError.Kind {
    /// A subscription's updates were not taken in time, and more came than it holds.
    public static let consumerTooSlow = Self(rawValue: "consumerTooSlow")
    /// The service answered the call and did not subscribe the user stream to its list.
    public static let notSubscribed = Self(rawValue: "notSubscribed")
}

extension AppNetError {
    /// How often in a row it may mean the connection that was to be subscribed, and not the list: the service may have
    /// noticed before us that the connection is gone.
    fileprivate var doubtsInConnection: Int {
        switch kind {
        case .badRequest: 5
        case .notFound: 1
        default: 0
        }
    }
}
