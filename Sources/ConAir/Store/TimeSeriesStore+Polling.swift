internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

extension TimeSeriesStore {
    /// Begins to poll: collects at once, and then once in each ``pollingPeriod``. If the store polls already, it begins
    /// anew.
    ///
    /// After failures the delays grow, up to 5 minutes. Polling goes on until ``stopPolling()``, or until the store is
    /// released.
    public func startPolling() { restart(after: nil, since: clock.uptime) }

    /// Ends polling. A reply that comes later changes nothing, unless a caller of ``collect()`` waits for it.
    public func stopPolling() {
        let (run, flight) = core.withLock { core in
            let ended = end(&core)
            publishPhase(&core)
            return ended
        }
        run?.cancel()
        flight?.cancel()
    }

    /// The delay between two polls. A new value while the store polls begins a new delay of that length; a request in
    /// progress begins anew at once.
    ///
    /// Each delay is up to 10 % shorter or longer. Values below 100 milliseconds count as that.
    public var pollingPeriod: Duration {
        get { core.withLock { $0.period } }
        set {
            let period = StoreCore.bounded(newValue)
            let (start, isCollecting) = core.withLock { core -> (Duration?, Bool) in
                core.period = period
                core.backoff = StoreCore.backoff(period: period, maximumDelay: options.maximumDelay)
                return (core.run?.start, core.run?.waiter.map { core.waiters.contains($0) } ?? false)
            }
            guard let start else { return }
            restart(after: isCollecting ? nil : jittered(period), since: start)
        }
    }

    /// Ends the run, if there is one.
    ///
    /// - Returns: The run, and the collection that nobody else waits for: both have to be cancelled, outside of the
    ///   lock.
    private func end(_ core: inout StoreCore) -> (PollingRun?, Flight?) {
        let run = core.run
        core.run = nil
        return (run, run?.waiter.flatMap { remove($0, from: &core) })
    }

    private func restart(after delay: Duration?, since start: Duration) {
        let (old, flight) = core.withLock { core in
            let ended = end(&core)
            core.lastRun += 1
            let id = core.lastRun
            // The tasks hold the store only for the time of each step: a store that is released ends them.
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
    /// - Returns: The delay before the next poll; `nil` if the run was ended.
    private func poll(_ run: Int) async -> Duration? {
        let hasFailed: Bool
        do {
            _ = try await collect(for: run)
            hasFailed = false
        } catch {
            hasFailed = true
        }
        return core.withLock { core in
            guard core.run?.id == run else { return nil }
            core.run?.waiter = nil
            var delay = jittered(core.period)
            if hasFailed { delay = max(delay, core.backoff.failed(random: random.unit()) ?? delay) }
            core.state.nextAttempt = localTime.advanced(by: delay)
            publishPhase(&core)
            return delay
        }
    }

    /// A random duration from 90 % to 110 % of a period.
    private func jittered(_ period: Duration) -> Duration { period * (0.9 + 0.2 * random.unit()) }
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

    /// The uptime at which to look again; `nil` if the run was ended.
    private func staleDeadline(_ run: Int) -> Duration? {
        core.withLock { core in
            guard core.run?.id == run, let due = staleTime(core) else { return nil }
            // A store that is stale stays so until a success, which is at least as far away from the next time.
            return core.state.isStale ? clock.uptime + core.period * Self.stalePeriods : due
        }
    }

    /// The uptime at which the store becomes stale unless something succeeds before.
    private func staleTime(_ core: StoreCore) -> Duration? {
        core.run.map { max($0.start, core.lastSuccess ?? .zero) + core.period * Self.stalePeriods }
    }

    private func checkAge(_ run: Int) {
        core.withLock { core in
            guard core.run?.id == run, !core.state.isStale, let due = staleTime(core), clock.uptime >= due else {
                return
            }
            core.state.isStale = true
            stateValue.send(core.state)
        }
    }
}
