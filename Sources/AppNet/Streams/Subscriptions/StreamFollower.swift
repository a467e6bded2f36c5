internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

/// One subscription of a stream, with values of any type. The reader of the connection calls its methods in the order
/// of the frames. Several subscriptions may have the same id one after the other, so they are compared by identity.
protocol StreamFollowing: AnyObject, Sendable {
    /// Handles a new connection. Its events are held until the list has been read.
    func connected()

    func received(_ frame: EventFrame) -> StreamFollowerNeed?

    /// Handles a frame that could not be decoded.
    func missed()

    /// Begins to read the list, and holds events from now on.
    ///
    /// - Returns: `false` if the list is being read, which then includes what was missed, or if the subscription has ended.
    func beginReading() -> Bool

    /// Subscribes, and reads all items that may have been missed. Call it after ``beginReading()``.
    ///
    /// - Returns: `true` if the subscription continues; `false` if it has ended, or if the service permanently refuses it.
    /// - Throws: `CancellationError` if the connection has ended, or ``DoubtfulConnection``.
    func catchUp(_ parameters: StreamSubscriptionParameters, isResumed: Bool) async throws -> Bool

    /// Ends the subscription with an error, or with `nil` if this side ended it. Only the first call has an effect.
    ///
    /// A request in progress is completed, so that the service receives no later request for the same id before it.
    func ended(_ error: (any Error)?)
}

/// The error of a connection that the service no longer seems to know, although this side has not noticed its end.
struct DoubtfulConnection: Error {}

/// The action that a follower needs after an event.
enum StreamFollowerNeed {
    /// Reading its list.
    case reading
    /// Removing it, because it has ended.
    case leaving
}

/// The state of one topic for one consumer. It remembers known items, reads items that may have been missed, and
/// buffers updates until the consumer takes them.
final class StreamFollower<Value: StreamValue>: StreamFollowing {
    private struct State {
        var progress: SubscriptionProgress<Value>
        var isReading = false
        /// Whether the first page has been read.
        var hasBegun = false
        /// Whether only the first page has been delivered.
        var isFirst = true
        /// The number of consecutive refusals that may be caused by the connection.
        var refusals = 0
        /// The error of the last attempt to read the list; `nil` if it succeeded.
        var failure: AppNetError?
        /// The uptime until which the service asked to send no request.
        var pausedUntil: Duration = .zero
        var isOver = false
    }

    /// The first page. It is settled with an error if the subscription ends before.
    let initial = Signal<Page<Value>>()
    /// Settled when the subscription ends, which ends its pauses.
    private let ending = Signal<Void>()
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
        let progress = SubscriptionProgress<Value>(
            memory: options.memory,
            holdLimit: options.bufferLimit,
            traits: topic.traits
        )
        state = Guarded(State(progress: progress))
    }
}

// MARK: Calls by the stream

extension StreamFollower {
    func connected() {
        state.withLock { state in
            state.progress.beginReading()
            // A task that was reading on an earlier connection has ended with it.
            state.isReading = false
        }
    }

    func received(_ frame: EventFrame) -> StreamFollowerNeed? {
        guard let event = try? topic.event(frame) else {
            missed()
            return .reading
        }
        let served = state.withLock { state in
            // Both happen under the lock, so that updates keep their order. The consumer is resumed afterward.
            state.isOver ? .empty : queue.place(state.progress.receive(event))
        }
        guard let served else {
            let message = "more than \(options.bufferLimit) updates of \(topic.name) are waiting"
            ended(AppNetError(.consumerTooSlow, message, delivery: .answered))
            return .leaving
        }
        served.resume()
        return state.withLock { $0.progress.mayMiss && !$0.isReading } ? .reading : nil
    }

    func missed() { state.withLock { $0.progress.missed() } }

    func ended(_ error: (any Error)?) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        ending.settle()
        queue.finish(throwing: error)
        let message = "the stream was closed, or another subscription has taken the id"
        initial.settle(.failure(error ?? AppNetError(.invalidRequest, message, delivery: .maybeSent)))
    }

    /// The error of the last attempt to read the list; `nil` if it succeeded.
    var failure: AppNetError? { state.withLock { $0.failure } }

    private var isOver: Bool { state.withLock { $0.isOver } }
}

// MARK: Reading the list

extension StreamFollower {
    func catchUp(_ parameters: StreamSubscriptionParameters, isResumed: Bool) async throws -> Bool {
        state.withLock { state in
            // Earlier events are those of another subscription, which had the same id.
            if !state.hasBegun { state.progress.dropHeld() }
        }
        var isResumed = isResumed
        var pauses = Backoff(backoff)
        var policy = backoff
        policy.maximumFailures = nil
        var repetitions = Backoff(policy)
        try await pause(until: state.withLock { $0.pausedUntil })
        while !isOver {
            do {
                try await readAll(parameters)
                state.withLock { $0.failure = nil }
                if endReading(isResumed: isResumed) { break }
                isResumed = false
                pauses.confirm()
                // The delay protects a service whose list always has more items from endless requests.
                try await pause(for: repetitions.failed(random: random.unit()))
            } catch let error as AppNetError {
                if isOver { break }
                if !error.isTransient { try judge(error) }
                let asked = error.requestedDelay(now: clock.wallTime)
                guard !isOver, let pause = pauses.failed(random: random.unit(), asked: asked) else {
                    ended(error)
                    break
                }
                let end = clock.uptime + max(pause, .milliseconds(1))
                state.withLock { state in
                    state.failure = error
                    // Also a later connection waits as long as the service has asked for.
                    if asked != nil { state.pausedUntil = end }
                }
                try await self.pause(until: end)
            }
        }
        return !isOver
    }

    /// Ends the subscription after a refusal by the service, unless the connection may be its cause.
    ///
    /// - Throws: ``DoubtfulConnection`` to try again on another connection.
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

    private var clock: any HeliumClock { client.settings.environment.clock }

    private func pause(until time: Duration) async throws {
        let rest = time - clock.uptime
        if rest > .zero { try await pause(for: rest) }
    }

    /// Pauses until the subscription ends.
    private func pause(for duration: Duration?) async throws {
        let time = max(duration ?? .zero, .milliseconds(1))
        do {
            try await Deadline(after: nil, clock: clock).race(closing: ending) { [clock] in
                try await clock.sleep(for: time)
            }
        } catch is ClientClosed {}
    }

    private var hasBegun: Bool { state.withLock { $0.hasBegun } }

    func beginReading() -> Bool {
        state.withLock { state in
            guard !state.isReading, !state.isOver else { return false }
            state.isReading = true
            state.progress.beginReading()
            return true
        }
    }

    /// Subscribes and reads the list. The service only subscribes to a list that has no more items
    /// (Docs/Protocols/AppNet.md §2.14), so missed items are read forward first.
    private func readAll(_ parameters: StreamSubscriptionParameters) async throws {
        guard hasBegun else {
            return begin(with: try await subscribe(PageBounds(count: options.initialCount), parameters))
        }
        while !isOver {
            try Task.checkCancellation()
            try await queue.waitForRoom(Self.pageSize)
            if isOver { return }
            let position = state.withLock { $0.progress.position }
            let newest = try await subscribe(PageBounds(since: position, count: Self.pageSize), parameters)
            if !newest.hasMore { return deliver(newest) }
            try await readForwards(from: position)
        }
    }

    private func readForwards(from start: ListPosition?) async throws {
        var since = start
        while !isOver {
            try await queue.waitForRoom(Self.pageSize)
            if isOver { return }
            let page = try await topic.read(client, PageBounds(since: since, count: -Self.pageSize), nil)
            deliver(page)
            guard page.hasMore else { return }
            guard let next = page.meta.maxID.map({ ListPosition($0) }), next != since else {
                throw AppNetError(
                    .brokenList,
                    "a page of the list has more items to follow, but no position to continue from",
                    delivery: .answered
                )
            }
            since = next
        }
    }

    private static var pageSize: Int { 200 }

    /// Reads a page and subscribes. The subscription exists if the response contains its id.
    private func subscribe(
        _ bounds: PageBounds,
        _ parameters: StreamSubscriptionParameters
    ) async throws -> Page<Value> {
        let page = try await topic.read(client, bounds, parameters)
        let isNamed = page.meta.subscriptionID != nil || page.meta.subscriptionIDs?.isEmpty == false
        // A page in the middle of the list does not subscribe. The responses of pnut.io are not documented.
        guard isNamed || client.dialect == .pnut || (page.hasMore && bounds.since != nil) else {
            let message = "the service responded to \(topic.name) without a subscription"
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

    /// Delivers a page. There is room for it, because nothing else delivers updates while the list is read.
    private func deliver(_ page: Page<Value>) {
        state.withLock { queue.place($0.progress.read(page), isForced: true) }?.resume()
    }

    /// - Returns: `true` if everything is delivered; `false` if something was missed in the meantime.
    private func endReading(isResumed: Bool) -> Bool {
        let (isComplete, served) = state.withLock { state -> (Bool, BoundedQueue<StreamUpdate<Value>>.Served?) in
            var served: BoundedQueue<StreamUpdate<Value>>.Served?
            if !state.progress.mayMiss {
                let updates = state.progress.endReading(isResumed: state.isFirst ? nil : isResumed)
                served = queue.place(updates, isForced: true)
                state.refusals = 0
            }
            // What is read after the first page was missed, also if the gap showed while the first page was read.
            state.isFirst = false
            state.isReading = state.progress.mayMiss
            if state.isReading { state.progress.beginReading() }
            return (!state.isReading, served)
        }
        served?.resume()
        return isComplete
    }
}

extension AppNetError.Kind {
    /// The updates of a subscription exceeded its buffer because the consumer did not take them in time.
    public static let consumerTooSlow = Self(rawValue: "consumerTooSlow")
    /// The service responded to the call, but did not subscribe the user stream to its list.
    public static let notSubscribed = Self(rawValue: "notSubscribed")
}

extension AppNetError {
    /// Returns the delay that the service requests before the next request; `nil` if it requests none.
    fileprivate func requestedDelay(now: Duration) -> Duration? {
        rateLimit?.retryAfter ?? underlying?.head.flatMap { ServerDelay.read(from: $0, now: now) }
    }

    /// The number of consecutive refusals that may be caused by the connection instead of the list. The service may
    /// notice the end of a connection before this side does.
    fileprivate var doubtsInConnection: Int {
        switch kind {
        case .badRequest: 5
        case .notFound: 1
        default: 0
        }
    }
}
