internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// Sends the coordinates of stored messages to the geocoder, one request at a time.
final class GeocodeWorker: Sendable {
    private let context: EngineContext
    private let geocoder: any Geocoder
    /// Settled when messages may have been queued.
    private let news = Guarded(Signal<Void>())

    /// The delay before the queue is read again after a database failure.
    private static let failureDelay = Duration.seconds(60)
    private static let firstDelay = Duration.seconds(2)
    private static let maximumDelay = Duration.seconds(6 * 3600)

    init(context: EngineContext, geocoder: any Geocoder) {
        self.context = context
        self.geocoder = geocoder
        context.waker.connect { [weak self] loop in
            if loop == .geocoder { self?.wake() }
        }
    }

    /// Makes the worker read the queue.
    func wake() {
        news.withLock { $0 }.settle()
    }

    /// Works until the task is cancelled or the engine is stopped.
    func run() async {
        while !Task.isCancelled {
            let signal = Signal<Void>()
            news.withLock { $0 = signal }
            do {
                switch try await step() {
                case .done: try await context.clock.sleep(for: context.options.geocoderInterval)
                case .idle(let delay): try await signal.wait(atMost: delay, clock: context.clock)
                }
            } catch {
                let kind = (error as? MessageBeastError)?.kind
                // Only the end of the engine ends the loop. Any other failure is temporary.
                if kind == .stopped || Task.isCancelled { return }
                // After a wipe, the queue has changed and is read at once. If the database failed, the worker waits.
                if kind != .wiped { try? await signal.wait(atMost: Self.failureDelay, clock: context.clock) }
            }
        }
    }

    private enum Step {
        case done
        /// Nothing is due. The value is the time until the next attempt; `nil` if nothing is queued.
        case idle(Duration?)
    }

    private func step() async throws -> Step {
        let term = try context.life.term()
        let now = context.now
        guard let next = try await context.read({ try GeocodeQueue(database: $0).next(now: now) }) else {
            return .idle(nil)
        }
        let delay = Duration.milliseconds(next.due.value - now.value)
        // A delay longer than any that is stored comes from a clock that has been set back since.
        if delay > .zero, delay <= GeocodeQueue.missDelay { return .idle(delay) }
        let found: [GeocodedLocation]?
        do {
            found = try await request(next.coordinates)
        } catch {
            try Task.checkCancellation()
            found = nil
        }
        let configuration = context.configuration
        let finished = context.now
        let resolved = try await context.write(term) { database -> [Int64] in
            let queue = GeocodeQueue(database: database)
            guard let found else {
                try queue.postpone(next.coordinates, until: finished + Self.delay(afterFailures: next.attempts + 1))
                return []
            }
            let location = GeocodedLocation(choosing: found)
            let cache = GeolocationTable(database: database)
            guard location.name != nil else {
                let forgotten = finished + GeocodeQueue.missDelay
                try cache.save(location, at: next.coordinates, now: finished, failedUntil: forgotten)
                try queue.postpone(next.coordinates, until: forgotten)
                return []
            }
            try cache.save(location, at: next.coordinates, now: finished)
            let waiting = try queue.messages(at: next.coordinates)
            try Rederivation(configuration: configuration, now: finished).derive(waiting, in: database)
            return waiting
        }
        if !resolved.isEmpty { context.events.send(.locationResolved(resolved.map(MessagePlus.ID.init))) }
        return .done
    }

    private func request(_ coordinates: Coordinates) async throws -> [GeocodedLocation] {
        let geocoder = geocoder
        let deadline = Deadline(after: context.options.geocoderTimeout, clock: context.clock)
        return try await deadline.race {
            try await geocoder.places(latitude: coordinates.latitude, longitude: coordinates.longitude)
        }
    }

    private static func delay(afterFailures failures: Int) -> Duration {
        Backoff.ceiling(afterFailures: failures, first: firstDelay, maximum: maximumDelay)
    }
}
