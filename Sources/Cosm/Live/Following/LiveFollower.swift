internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

/// Follows a resource for one ``LiveSubscription``. It compares incoming documents with the known state, reads states
/// that may have been missed, and queues updates for the consumer.
final class LiveFollower<Value: LiveValue>: SocketFollower {
    private struct State {
        var progress: LiveProgress<Value>
        /// Whether the server has confirmed the registration, on this connection or an earlier one.
        var wasConfirmed = false
        var reading: Task<Void, Never>?
        /// The task that reads the state again after a delay while it is uncertain.
        var doubting: Task<Void, Never>?
        /// The uptime from which updates may be missing; `nil` if none are.
        var gapStart: Duration?
        var isEnded = false
    }

    let resource: LiveResource
    private let queue: BoundedQueue<LiveUpdate<Value>>
    private let reader: any ResourceReader
    private let options: SubscriptionOptions
    private let clock: any HeliumClock
    private let random: RandomSource
    private let noticeLimit: Duration?
    private let state: Guarded<State>

    /// - Parameter noticeLimit: The time within which a lost connection is noticed; `nil` if it is not limited.
    init(
        _ resource: LiveResource,
        reader: any ResourceReader,
        options: SubscriptionOptions,
        clock: any HeliumClock,
        random: RandomSource,
        noticeLimit: Duration? = nil
    ) {
        self.resource = resource
        self.reader = reader
        self.options = options
        self.clock = clock
        self.random = random
        self.noticeLimit = noticeLimit
        let progress = LiveProgress<Value>(holdLimit: options.bufferLimit)
        state = Guarded(State(progress: progress))
        queue = BoundedQueue(limit: options.bufferLimit)
    }
}

// MARK: Events of the socket

extension LiveFollower {
    func confirmed(after lost: Duration?) {
        let isRestored = state.withLock { state in
            defer { state.wasConfirmed = true }
            return state.wasConfirmed
        }
        if isRestored {
            read(as: .resynchronised, since: lost)
        } else if options.startsWithCurrentState {
            read(as: .initial, since: nil)
        } else if options.fillsGapsFromHistory {
            read(as: nil, since: nil)
        }
    }

    func received(_ body: SocketFrame.Body) {
        guard let value = Value(body) else { return mayHaveMissed() }
        deliver { $0.push(value).map { [$0] } ?? [] }
    }

    func mayHaveMissed() { read(as: .resynchronised, since: nil) }

    func ended(_ error: (any Error)?) {
        let tasks = state.withLock { state in
            state.isEnded = true
            defer { (state.reading, state.doubting) = (nil, nil) }
            return [state.reading, state.doubting]
        }
        for task in tasks { task?.cancel() }
        queue.finish(throwing: error)
    }
}

// MARK: Updates for the consumer

extension LiveFollower {
    /// Changes the known state and queues the resulting updates. Both happen under the lock, so that updates keep their
    /// order. The consumer is resumed afterward.
    private func deliver(_ change: (inout LiveProgress<Value>) -> [LiveUpdate<Value>]) {
        let served = state.withLock { state -> [BoundedQueue<LiveUpdate<Value>>.Served] in
            guard !state.isEnded else { return [] }
            let served = change(&state.progress).map { queue.place($0) { $0.followsGap = true } }
            if state.progress.isDoubtful, state.doubting == nil { state.doubting = Task { await self.resolveDoubt() } }
            return served
        }
        for consumer in served { consumer.resume() }
    }

    /// Returns the next update, or `nil` once this side has ended the subscription.
    func next() async throws -> LiveUpdate<Value>? { try await queue.next() }
}

// MARK: Reading missed states

extension LiveFollower {
    /// - Parameter start: The uptime from which updates may be missing. Default: now.
    private func read(as origin: LiveOrigin?, since start: Duration?) {
        state.withLock { state in
            guard !state.isEnded else { return }
            let start = start ?? clock.uptime
            state.gapStart = min(state.gapStart ?? start, start)
            state.progress.beginReading()
            guard state.reading == nil else { return }
            state.reading = Task { await self.keepReading(as: origin) }
        }
    }

    /// Reads until reading has succeeded, or another attempt cannot succeed.
    private func keepReading(as origin: LiveOrigin?) async {
        var origin = origin
        var backoff = Backoff(BackoffPolicy())
        while !Task.isCancelled {
            do {
                let value = try await resource.read(Value.self, by: reader)
                let isComplete = try await deliverHistory(until: value)
                if finishReading(value, as: origin, isComplete: isComplete) { return }
                origin = .resynchronised
            } catch {
                if Task.isCancelled { return }
                // The pushes of the new connection have whole states, so they need not be held while reading is
                // retried.
                deliver { $0.readingFailed() }
                let failure = error as? CosmError
                let asked = failure?.underlying?.head.flatMap { ServerDelay.read(from: $0, now: clock.wallTime) }
                if failure?.isTransient == true, let pause = backoff.failed(random: random.unit(), asked: asked) {
                    do { try await clock.sleep(for: pause) } catch { return }
                    state.withLock { $0.progress.beginReading() }
                } else if endReading() {
                    return
                }
            }
        }
    }

    /// The time within which pushes that were under way when the state was read are expected to arrive. The socket and
    /// the reader use different connections.
    private static var doubtLimit: Duration { .seconds(1) }

    /// Reads again if a push was dropped as older and no newer one has followed.
    private func resolveDoubt() async {
        do { try await clock.sleep(for: Self.doubtLimit) } catch { return }
        let isDoubtful = state.withLock { state in
            state.doubting = nil
            // A reading that is being retried settles the question. Pushes are not held for another one.
            return state.progress.isDoubtful && state.reading == nil
        }
        if isDoubtful { read(as: .resynchronised, since: nil) }
    }

    /// - Returns: `false` if there is another gap to read for.
    private func endReading() -> Bool {
        state.withLock { state in
            if state.progress.isReading { return false }
            state.reading = nil
            state.gapStart = nil
            return true
        }
    }

    /// - Returns: Whether the reading is finished.
    private func finishReading(_ value: Value, as origin: LiveOrigin?, isComplete: Bool) -> Bool {
        deliver { $0.read(value, origin: origin, isComplete: isComplete) }
        // The state that was read may be older than a gap that began since.
        return endReading()
    }

    /// Delivers the datapoints between the known state and a newer one, if the options request it.
    ///
    /// - Returns: Whether all points were delivered.
    private func deliverHistory(until value: Value) async throws -> Bool {
        guard options.fillsGapsFromHistory, let known = state.withLock({ $0.progress.known }) else { return true }
        let limit = max(0, options.maximumHistoryPoints)
        let points = try await missedPoints(from: known, to: value)
        for (id, point) in points.prefix(limit) {
            try await queue.waitForRoom(1)
            deliver { $0.history(point, of: id).map { [$0] } ?? [] }
        }
        return points.count <= limit
    }

    /// The length of the time for which updates may be missing; `nil` if it is not known.
    ///
    /// The newest datapoint of a datastream is not later than now, so this time before it covers the whole gap, whatever
    /// the clocks of the server and of this machine show. The last known datapoint may be much older than the gap.
    private var gapLength: Duration? {
        guard let noticeLimit, let start = state.withLock({ $0.gapStart }) else { return nil }
        return clock.uptime - start + noticeLimit
    }

    /// Returns the datapoints of all datastreams between two states, ordered by instant. If there are more than the
    /// options allow, the result has one more than the maximum.
    private func missedPoints(from known: Value, to value: Value) async throws -> [(id: String, point: Datapoint)] {
        let before = known.moments
        let limit = max(0, options.maximumHistoryPoints)
        let length = gapLength
        var points: [(id: String, point: Datapoint)] = []
        for (id, moment) in value.moments.sorted(by: { $0.key < $1.key }) {
            guard let last = before[id]?.at, let end = moment.at, last < end, points.count <= limit else { continue }
            let start = length.map { max(last, end.advanced(by: .zero - $0)) } ?? last
            for try await point in reader.datapoints(of: id, in: resource.feed, from: start, to: end) {
                guard let at = point.at, at > last, at < end else { continue }
                points.append((id, point))
                if points.count > limit { break }
            }
        }
        return points.enumerated().sorted { left, right in
            let (first, second) = (left.element.point.at, right.element.point.at)
            return first == second ? left.offset < right.offset : (first ?? .distantPast) < (second ?? .distantPast)
        }
        .map(\.element)
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(microseconds: .min)
}
