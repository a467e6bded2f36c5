internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

extension TimeSeriesStore {
    /// Starts polling: collects at once, and then once in each ``pollingPeriod``. If the store is already polling,
    /// polling restarts.
    ///
    /// After failures, the delays grow to up to 5 minutes. A service that requests a longer delay (`Retry-After`) is not
    /// asked before that, for up to an hour. Polling continues until ``stopPolling()``, or until the
    /// store is released.
    public func startPolling() {
        restart { core in
            core.requestedEnd = nil
            return (nil, clock.uptime)
        }
    }

    /// Stops polling. A reply that arrives later has no effect, unless a caller of ``collect()`` waits for it.
    public func stopPolling() {
        let (run, flight) = publishing { core in
            let ended = end(&core)
            publishPhase(&core)
            return ended
        }
        run?.cancel()
        flight?.cancel()
    }

    /// The delay between two polls. Setting a value while the store polls starts a new delay of that length; a running
    /// request restarts at once. A delay that the service requests (`Retry-After`) is not shortened.
    ///
    /// Each delay is up to 10 % shorter or longer. It ends at a multiple of a hundredth of the period, so that stores with
    /// the same period poll together. Values below 100 milliseconds count as 100 milliseconds.
    public var pollingPeriod: Duration {
        get { core.withLock { $0.period } }
        set {
            let period = StoreCore.bounded(newValue)
            restart { core in
                core.period = period
                core.backoff = StoreCore.backoff(period: period, maximumDelay: options.maximumDelay)
                guard let run = core.run else { return nil }
                let isCollecting = run.waiter.map { core.waiters.contains($0) } ?? false
                let requested = core.requestedEnd.map { $0 - clock.uptime } ?? .zero
                return (isCollecting ? nil : max(jittered(period), requested), run.start)
            }
        }
    }

    /// Ends the polling run if there is one.
    ///
    /// - Returns: The run, and the collection that has no other waiters. Both must be cancelled outside the lock.
    private func end(_ core: inout StoreCore) -> (PollingRun?, Flight?) {
        let run = core.run
        core.run = nil
        return (run, run?.waiter.flatMap { remove($0, from: &core) })
    }

    /// Replaces the polling run.
    ///
    /// - Parameter decide: Returns the delay before the first poll of the new run, and the uptime at which polling was
    ///   started; `nil` for no new run. It is called under the same lock, so that no stop comes in between.
    private func restart(_ decide: (inout StoreCore) -> (delay: Duration?, start: Duration)?) {
        let (old, flight) = publishing { core -> (PollingRun?, Flight?) in
            guard let (delay, start) = decide(&core) else { return (nil, nil) }
            let ended = end(&core)
            core.lastRun += 1
            let id = core.lastRun
            // The tasks only retain the store during each step, so that they end when the store is released.
            let store: @Sendable () -> TimeSeriesStore? = { [weak self] in self }
            core.run = PollingRun(id: id, start: start)
            core.run?.tasks = [
                Task { [clock] in await Self.poll(id, after: delay, clock: clock, store: store) },
                Task { [clock] in await Self.watchAge(id, clock: clock, store: store) },
            ]
            core.state.nextAttempt = delay.map { localTime.advanced(by: $0) }
            publishPhase(&core)
            return ended
        }
        old?.cancel()
        flight?.cancel()
    }

    private static func poll(
        _ run: Int,
        after first: Duration?,
        clock: any HeliumClock,
        store: @Sendable () -> TimeSeriesStore?
    ) async {
        var delay = first
        while !Task.isCancelled {
            if let delay { do { try await clock.sleep(for: delay) } catch { return } }
            guard let next = await store()?.poll(run) else { return }
            delay = next
        }
    }

    /// Collects once.
    ///
    /// - Returns: The delay before the next poll; `nil` if the run has ended.
    private func poll(_ run: Int) async -> Duration? {
        if let delay = remainingDelay(run) { return delay }
        // The error is in the state.
        _ = try? await collect(for: run)
        return core.withLock { core in core.run?.id == run ? core.run?.delay : nil }
    }

    /// Returns the rest of the delay that the service requested when a collection of another caller failed; `nil` if
    /// there is none.
    private func remainingDelay(_ run: Int) -> Duration? {
        publishing { core in
            guard core.run?.id == run, let end = core.requestedEnd, end > clock.uptime else { return nil }
            let delay = end - clock.uptime
            core.state.nextAttempt = localTime.advanced(by: delay)
            publishPhase(&core)
            return delay
        }
    }

    /// Sets the time of the next poll at the end of a collection that the run waits for. Does nothing if it waits for
    /// none.
    ///
    /// The outcome and this time are published together, so that no state has the time of a past attempt.
    func scheduleNextPoll(_ core: inout StoreCore, after outcome: Result<CollectSummary, any Error>) {
        guard let waiter = core.run?.waiter, core.waiters.contains(waiter) else { return }
        var delay = jittered(core.period)
        if case .failure(let error) = outcome {
            let asked = requestedDelay(error)
            delay = max(delay, core.backoff.failed(random: random.unit(), asked: asked) ?? delay)
        }
        core.run?.waiter = nil
        core.run?.delay = delay
        core.state.nextAttempt = localTime.advanced(by: delay)
    }

    /// Returns the delay that a service requests with a failure (`Retry-After`); `nil` if it requests none.
    func requestedDelay(_ error: any Error) -> Duration? {
        let cause = (error as? ConAirError)?.underlying ?? error
        return (cause as? HeliumError)?.head.flatMap { ServerDelay.read(from: $0, now: clock.wallTime) }
    }

    /// Returns a random duration from 90 % to 110 % of a period.
    ///
    /// Polls begin at multiples of a hundredth of the period, so that the stores of a process wake the processor
    /// together. Waking it for each of a thousand stores takes longer than their polls.
    private func jittered(_ period: Duration) -> Duration {
        let (uptime, chance) = (clock.uptime, random.unit())
        let step = max(period.wholeMicroseconds / 100, 1)
        let chosen = (uptime + period * (0.9 + 0.2 * chance)).wholeMicroseconds
        let excess = chosen % step
        // Rounding is toward the period, so that the delay stays within the limits.
        let begin = excess > 0 && chance < 0.5 ? chosen - excess + step : chosen - excess
        return .microseconds(begin) - uptime
    }
}

// MARK: Staleness

extension TimeSeriesStore {
    /// The number of periods without a success after which a store is stale.
    static let stalePeriods = 3

    private static func watchAge(
        _ run: Int,
        clock: any HeliumClock,
        store: @Sendable () -> TimeSeriesStore?
    ) async {
        while !Task.isCancelled, let deadline = store()?.staleDeadline(run) {
            do { try await clock.waitForDeadline(at: deadline) } catch { return }
            store()?.checkAge(run)
        }
    }

    /// Returns the uptime of the next check; `nil` if the run has ended.
    private func staleDeadline(_ run: Int) -> Duration? {
        core.withLock { core in
            guard core.run?.id == run, let due = staleTime(core) else { return nil }
            // A stale store stays stale until a success, and then needs at least this long to become stale again.
            return core.state.isStale ? clock.uptime + core.period * Self.stalePeriods : due
        }
    }

    /// Returns the uptime at which the store becomes stale unless a collection succeeds before.
    private func staleTime(_ core: StoreCore) -> Duration? {
        core.run.map { max($0.start, core.lastSuccess ?? .zero) + core.period * Self.stalePeriods }
    }

    private func checkAge(_ run: Int) {
        publishing { core in
            guard core.run?.id == run, !core.state.isStale, let due = staleTime(core), clock.uptime >= due else {
                return
            }
            core.state.isStale = true
            stateValue.set(core.state)
        }
    }
}
