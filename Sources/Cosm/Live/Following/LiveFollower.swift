internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumWebSocket
internal import Synchronization

/// Follows a resource for one ``LiveSubscription``: compares what arrives with the known state, reads what may have been
/// missed, and queues updates for the consumer.
final class LiveFollower<Value: LiveValue>: SocketFollower {
    private typealias Consumer = CheckedContinuation<LiveUpdate<Value>?, any Error>

    private enum Answer { case update(LiveUpdate<Value>), end((any Error)?), cancelled }

    private struct State {
        var progress: LiveProgress<Value>
        var queue: UpdateQueue<Value>
        var consumers: [(id: Int, continuation: Consumer)] = []
        var lastID = 0
        /// Whether the server has confirmed the registration, on this connection or an earlier one.
        var wasConfirmed = false
        /// Who waits for room in the queue.
        var writer: AsyncStream<Void>.Continuation?
        var reading: Task<Void, Never>?
        /// Waits to read again, as long as there is doubt.
        var doubting: Task<Void, Never>?
        /// Once it has ended: why, or `nil` for an end from here.
        var end: (any Error)??
    }

    let resource: LiveResource
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
        state = Guarded(State(progress: progress, queue: UpdateQueue(limit: options.bufferLimit)))
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
        let (consumers, tasks, writer) = state.withLock { state in
            if state.end == nil { state.end = .some(error) }
            defer { (state.consumers, state.reading, state.doubting, state.writer) = ([], nil, nil, nil) }
            return (state.consumers, [state.reading, state.doubting], state.writer)
        }
        for task in tasks { task?.cancel() }
        writer?.finish()
        for (_, continuation) in consumers {
            if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: nil) }
        }
    }
}

// MARK: To the consumer

extension LiveFollower {
    /// Changes what is known, and hands over what that gives: both under the lock, so that updates keep their order.
    private func tell(_ change: (inout LiveProgress<Value>) -> [LiveUpdate<Value>]) {
        let served = state.withLock { state -> [(Consumer, LiveUpdate<Value>)] in
            guard state.end == nil else { return [] }
            var served: [(Consumer, LiveUpdate<Value>)] = []
            for update in change(&state.progress) {
                if state.consumers.isEmpty {
                    state.queue.append(update)
                } else {
                    served.append((state.consumers.removeFirst().continuation, update))
                }
            }
            if state.progress.isDoubtful, state.doubting == nil { state.doubting = Task { await self.resolveDoubt() } }
            return served
        }
        for (consumer, update) in served { consumer.resume(returning: update) }
    }

    /// The next update; `nil` at an end from here.
    func next() async throws -> LiveUpdate<Value>? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (answer, writer) = state.withLock { state -> (Answer?, AsyncStream<Void>.Continuation?) in
                    if let update = state.queue.popFirst() {
                        defer { if !state.queue.isFull { state.writer = nil } }
                        return (.update(update), state.queue.isFull ? nil : state.writer)
                    }
                    if let end = state.end { return (.end(end), nil) }
                    // Under the lock: a cancellation either finds the consumer, or is seen here.
                    if Task.isCancelled { return (.cancelled, nil) }
                    state.consumers.append((id, continuation))
                    return (nil, nil)
                }
                writer?.finish()
                switch answer {
                case nil: break
                case .update(let update): continuation.resume(returning: update)
                case .end(let error?): continuation.resume(throwing: error)
                case .end(nil): continuation.resume(returning: nil)
                case .cancelled: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let consumer = state.withLock { state in
                state.consumers.firstIndex { $0.id == id }.map { state.consumers.remove(at: $0).continuation }
            }
            consumer?.resume(throwing: CancellationError())
        }
    }
}

// MARK: Reading what was missed

extension LiveFollower {
    private func read(as origin: LiveUpdate<Value>.Origin?) {
        state.withLock { state in
            guard state.end == nil else { return }
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
                if Self.isPassing(error), let pause = backoff.failed(random: random.unit()) {
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

    private static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? CosmError else { return false }
        if [.rateLimited, .overloaded, .serverFailed].contains(error.kind) { return true }
        return error.kind == .failed && error.underlying.map { SupervisedConnection<Int>.isPassing($0) } ?? false
    }

    /// Tells the datapoints between what is known and a newer state, where that was asked for.
    ///
    /// - Returns: Whether none is missing.
    private func tellHistory(until value: Value) async throws -> Bool {
        guard options.fillsGapsFromHistory, let known = state.withLock({ $0.progress.known }) else { return true }
        let points = try await missedPoints(from: known, to: value)
        for (id, point) in points.prefix(options.maximumHistoryPoints) {
            try await waitForRoom()
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

    /// Waits until the consumer has taken something, if too much waits.
    private func waitForRoom() async throws {
        while true {
            try Task.checkCancellation()
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            let isFull = state.withLock { state in
                guard state.queue.isFull, state.end == nil else { return false }
                state.writer = continuation
                return true
            }
            guard isFull else { return }
            for await _ in stream {}
        }
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(microseconds: .min)
}
