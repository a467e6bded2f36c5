internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

/// Follows a resource for one ``LiveSubscription``: compares what arrives with the known state, reads what may have been
/// missed, and queues updates for the consumer.
final class LiveFollower<Value: LiveValue>: SocketFollower {
    private struct State {
        var progress: LiveProgress<Value>
        /// Whether the server has confirmed the registration, on this connection or an earlier one.
        var wasConfirmed = false
        var reading: Task<Void, Never>?
        /// Waits to read again, as long as there is doubt.
        var doubting: Task<Void, Never>?
        var isEnded = false
    }

    let resource: LiveResource
    private let queue: BoundedQueue<LiveUpdate<Value>>
    private let reader: any ResourceReader
    private let options: SubscriptionOptions
    private let clock: any HeliumClock
    private let random: RandomSource
    private let state: Guarded<State>

    init(
        _ resource: LiveResource,
        reader: any ResourceReader,
        options: SubscriptionOptions,
        clock: any HeliumClock,
        random: RandomSource
    ) {
        self.resource = resource
        self.reader = reader
        self.options = options
        self.clock = clock
        self.random = random
        let progress = LiveProgress<Value>(holdLimit: options.bufferLimit)
        state = Guarded(State(progress: progress))
        queue = BoundedQueue(limit: options.bufferLimit)
    }
}

// MARK: From the socket

extension LiveFollower {
    func confirmed() {
        let isRestored = state.withLock { state in
            defer { state.wasConfirmed = true }
            return state.wasConfirmed
        }
        if isRestored {
            read(as: .resynchronised)
        } else if options.startsWithCurrentState {
            read(as: .initial)
        } else if options.fillsGapsFromHistory {
            read(as: nil)
        }
    }

    func received(_ body: SocketFrame.Body) {
        guard let value = Value(body) else { return mayHaveMissed() }
        tell { $0.push(value).map { [$0] } ?? [] }
    }

    func mayHaveMissed() { read(as: .resynchronised) }

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

// MARK: To the consumer

extension LiveFollower {
    /// Changes what is known, and queues the updates that follow from it: both under the lock, so that they keep their order.
    private func tell(_ change: (inout LiveProgress<Value>) -> [LiveUpdate<Value>]) {
        state.withLock { state in
            guard !state.isEnded else { return }
            for update in change(&state.progress) { queue.push(update) { $0.followsGap = true } }
            if state.progress.isDoubtful, state.doubting == nil { state.doubting = Task { await self.resolveDoubt() } }
        }
    }

    /// The next update; `nil` at an end from here.
    func next() async throws -> LiveUpdate<Value>? { try await queue.next() }
}

// MARK: Reading what was missed

extension LiveFollower {
    private func read(as origin: LiveUpdate<Value>.Origin?) {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.progress.beginReading()
            guard state.reading == nil else { return }
            state.reading = Task { await self.keepReading(as: origin) }
        }
    }

    /// Reads until it has succeeded, or no other attempt can help.
    private func keepReading(as origin: LiveUpdate<Value>.Origin?) async {
        var origin = origin
        var backoff = Backoff(BackoffPolicy())
        while !Task.isCancelled {
            do {
                let value = try await resource.read(Value.self, by: reader)
                let isComplete = try await tellHistory(until: value)
                if finishReading(value, as: origin, isComplete: isComplete) { return }
                origin = .resynchronised
            } catch {
                if Task.isCancelled { return }
                // The pushes of the new connection are whole states: nothing has to wait for the reading.
                tell { $0.readingFailed() }
                if (error as? CosmError)?.isTransient == true, let pause = backoff.failed(random: random.unit()) {
                    do { try await clock.sleep(for: pause) } catch { return }
                    state.withLock { $0.progress.beginReading() }
                } else if endReading() {
                    return
                }
            }
        }
    }

    /// How long what was under way when the state was read may take to come: `SocketFollower` and reader have connections
    /// of their own.
    private static var doubtLimit: Duration { .seconds(1) }

    /// Reads again if what was dropped as older was not followed by anything newer.
    private func resolveDoubt() async {
        do { try await clock.sleep(for: Self.doubtLimit) } catch { return }
        let isDoubtful = state.withLock { state in
            state.doubting = nil
            // A reading that is being tried again resolves it; pushes are not held for another.
            return state.progress.isDoubtful && state.reading == nil
        }
        if isDoubtful { read(as: .resynchronised) }
    }

    /// - Returns: `false` if meanwhile there is something to read again.
    private func endReading() -> Bool {
        state.withLock { state in
            if state.progress.isReading { return false }
            state.reading = nil
            return true
        }
    }

    /// - Returns: Whether all is known.
    private func finishReading(_ value: Value, as origin: LiveUpdate<Value>.Origin?, isComplete: Bool) -> Bool {
        tell { $0.read(value, origin: origin, isComplete: isComplete) }
        // What was being read may be older than what was missed since.
        return endReading()
    }

    /// Tells the datapoints between what is known and a newer state, where that was asked for.
    ///
    /// - Returns: Whether none is missing.
    private func tellHistory(until value: Value) async throws -> Bool {
        guard options.fillsGapsFromHistory, let known = state.withLock({ $0.progress.known }) else { return true }
        let points = try await missedPoints(from: known, to: value)
        for (id, point) in points.prefix(options.maximumHistoryPoints) {
            try await queue.waitForRoom(1)
            tell { $0.history(point, of: id).map { [$0] } ?? [] }
        }
        return points.count <= options.maximumHistoryPoints
    }

    /// The datapoints between two states, of all datastreams in the order of their instants; one more than allowed where
    /// there are more.
    private func missedPoints(from known: Value, to value: Value) async throws -> [(id: String, point: Datapoint)] {
        let before = known.moments
        let limit = max(0, options.maximumHistoryPoints)
        var points: [(id: String, point: Datapoint)] = []
        for (id, moment) in value.moments.sorted(by: { $0.key < $1.key }) {
            guard let start = before[id]?.at, let end = moment.at, start < end, points.count <= limit else { continue }
            for try await point in reader.datapoints(of: id, in: resource.feed, from: start, to: end) {
                guard let at = point.at, at > start, at < end else { continue }
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
