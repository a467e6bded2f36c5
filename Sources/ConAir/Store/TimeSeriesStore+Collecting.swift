internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

extension TimeSeriesStore {
    /// Reads new and corrected points from the source.
    ///
    /// Only one collection runs at a time. A caller that arrives in the meantime waits for the same outcome. Cancelling
    /// a caller ends only its own wait. The request is cancelled when no caller waits for it any more.
    ///
    /// A window of more than 5,000 steps is read in parts, oldest first. The points of each part are stored at once and
    /// are kept if a later part fails.
    ///
    /// - Returns: The numbers of inserted, replaced, removed and skipped points.
    /// - Throws: The error of the source, which is also in ``state``; `CancellationError`.
    @discardableResult
    public func collect() async throws -> CollectSummary { try await collect(for: nil) }

    /// Collects for a caller or for a polling run.
    ///
    /// - Parameter run: The polling run; `nil` for a caller.
    func collect(for run: Int?) async throws -> CollectSummary {
        let (flight, waiter) = try join(run)
        defer { leave(waiter) }
        return try await withTaskCancellationHandler {
            try await flight.outcome.value()
        } onCancel: {
            // The listeners are resumed by the deferred call. In a cancellation handler, a resumption can deadlock with
            // the cancellation of a listener.
            withdraw(waiter)
        }
    }

    /// Adds a waiter to the running collection, or starts one.
    private func join(_ run: Int?) throws -> (Flight, waiter: Int) {
        let (flight, waiter, isNew) = try publishing { core -> (Flight, Int, Bool) in
            guard !Task.isCancelled, run == nil || core.run?.id == run else { throw CancellationError() }
            core.lastWaiter += 1
            core.waiters.insert(core.lastWaiter)
            if run != nil {
                core.run?.waiter = core.lastWaiter
                core.state.nextAttempt = nil
            }
            if let flight = core.flight {
                if run != nil { publishPhase(&core) }
                return (flight, core.lastWaiter, false)
            }
            let flight = Flight()
            core.flight = flight
            publishPhase(&core)
            return (flight, core.lastWaiter, true)
        }
        if isNew { flight.keep(Task { await self.runFlight(flight) }) }
        return (flight, waiter)
    }

    /// Removes a waiter, and resumes the listeners. Does not remove it again if it was already removed.
    private func leave(_ waiter: Int) {
        withdraw(waiter)
        deliver()
    }

    /// Removes a waiter, and resumes no listener. Does nothing if it was already removed.
    private func withdraw(_ waiter: Int) { core.withLock { remove(waiter, from: &$0) }?.cancel() }

    /// Removes a waiter.
    ///
    /// - Returns: The collection, if it has no waiters left. It can no longer change the store.
    func remove(_ waiter: Int, from core: inout StoreCore) -> Flight? {
        guard core.waiters.remove(waiter) != nil, core.waiters.isEmpty, let flight = core.flight else { return nil }
        core.flight = nil
        publishPhase(&core)
        return flight
    }

    /// Publishes the state with the phase of the running work. Called under the lock; see ``publishing(_:)``.
    func publishPhase(_ core: inout StoreCore) {
        core.updatePhase()
        stateValue.set(core.state)
    }

    /// Runs `body` under the lock, then resumes the listeners of what it published.
    ///
    /// States and batches are published under the lock, so that all listeners see them in the order of the changes. The
    /// listeners are resumed outside of it: a listener may be about to be cancelled together with a caller of
    /// ``collect()``, whose cancellation handler waits for the lock.
    func publishing<Result: Sendable, Failure: Error>(
        _ body: (inout StoreCore) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { deliver() }
        return try core.withLock { core throws(Failure) in try body(&core) }
    }

    private func deliver() {
        batches.deliver()
        stateValue.deliver()
    }

    private func runFlight(_ flight: Flight) async {
        do {
            finish(flight, .success(try await fetch(flight)))
        } catch {
            finish(flight, .failure(error))
        }
    }

    private func finish(_ flight: Flight, _ outcome: Result<CollectSummary, any Error>) {
        publishing { core in
            guard core.flight === flight else { return }
            core.flight = nil
            switch outcome {
            case .success:
                core.lastSuccess = clock.uptime
                core.gapStart = nil
                core.backoff.confirm()
                core.requestedEnd = nil
                core.state.lastSuccess = localTime
                core.state.failureCount = 0
                core.state.isStale = false
            case .failure(let error):
                core.state.lastError = error
                core.state.lastFailure = localTime
                core.state.failureCount += 1
                let limit = BackoffPolicy().maximumServerDelay
                core.requestedEnd = requestedDelay(error).map { clock.uptime + min($0, limit) }
            }
            scheduleNextPoll(&core, after: outcome)
            core.waiters = []
            publishPhase(&core)
        }
        flight.outcome.settle(outcome)
    }
}

// MARK: Requests

extension TimeSeriesStore {
    private func fetch(_ flight: Flight) async throws -> CollectSummary {
        try await readCache(flight)
        var summary = CollectSummary()
        var plan = core.withLock { self.plan($0) }
        var isCorrected = false
        var next = 0
        while next < plan.parts.count {
            let reply = try await source.points(in: plan.parts[next], step: step)
            next += 1
            let better = try publishing { core -> PollPlan? in
                // A reply to a stopped run changes nothing.
                guard core.flight === flight else { throw CancellationError() }
                if let time = reply.serverTime { core.serverTime.note(time, uptime: clock.uptime) }
                let better = isCorrected || reply.serverTime == nil ? nil : corrected(plan, core)
                // The points that a wrong clock left out are requested by the corrected plan.
                if better == nil || !plan.leavesGap { merge(reply, of: plan, into: &core, &summary) }
                if better == nil, next == plan.parts.count { core.gapStart = nil }
                return better
            }
            await saveToCache()
            isCorrected = true
            if let better {
                (plan, next) = (better, 0)
            } else if next < plan.parts.count, isPast(plan.parts[next], reply.serverTime) {
                break
            }
        }
        return summary
    }

    /// Returns whether a window starts after all points that a server can have at a time. Such windows come from a
    /// local clock that is years ahead.
    private func isPast(_ window: Range<SeriesTime>, _ serverTime: SeriesTime?) -> Bool {
        serverTime.map { $0.advanced(by: MergeDecision.maximumLead) < window.lowerBound } ?? false
    }

    /// The current time at the source, as reported by its replies; the time of the local clock before the first reply.
    package var sourceTime: SeriesTime { core.withLock { now($0) } }

    private func now(_ core: StoreCore) -> SeriesTime { core.serverTime.now(local: localTime, uptime: clock.uptime) }

    private func plan(_ core: StoreCore) -> PollPlan {
        let now = now(core)
        var facts = PollPlan.Facts(newest: core.newestRequested(now: now), now: now, step: step)
        facts.hasPoints = !core.points.isEmpty
        facts.retentionTime = retentionTime(core)
        facts.overlap = options.overlap
        facts.initialSpan = options.initialSpan
        facts.initialStart = options.initialStart
        facts.retention = options.retention
        return PollPlan(facts)
    }

    /// Returns the plan for the clock as corrected by a reply; `nil` if the clock was right. Called before the reply is
    /// merged, because its points would hide what the plan left out.
    private func corrected(_ plan: PollPlan, _ core: StoreCore) -> PollPlan? {
        let now = now(core)
        let newest = core.newestRequested(now: now)
        return plan.corrected(to: now, retentionTime: retentionTime(core), newest: newest)
    }

    private func retentionTime(_ core: StoreCore) -> SeriesTime {
        core.serverTime.retentionTime(local: localTime, uptime: clock.uptime)
    }

    private func merge(
        _ reply: SeriesReply,
        of plan: PollPlan,
        into core: inout StoreCore,
        _ summary: inout CollectSummary
    ) {
        var oldest = options.retention.cutoff(at: retentionTime(core))
        // Only with a new point: if only the local clock is wrong, there is none.
        if plan.startsAfterGap, reply.points.contains(where: { plan.window.contains($0.time) }) {
            oldest = max(oldest, plan.window.lowerBound)
        }
        let decision = MergeDecision(
            reply.points,
            into: core.points,
            now: now(core),
            oldest: oldest,
            maximumCount: options.retention.count
        )
        apply(decision, to: &core)
        core.state.skippedCount += reply.skippedCount
        core.state.aheadCount += decision.aheadCount
        summary.insertedCount += decision.inserted.count
        summary.replacedCount += decision.replaced.count
        summary.removedCount += decision.removed.count
        summary.skippedCount += reply.skippedCount
        summary.aheadCount += decision.aheadCount
        if reply.skippedCount > 0 || decision.aheadCount > 0 { stateValue.set(core.state) }
    }

    /// Applies a decision, numbers it, and sends it to the listeners. An empty decision is not a batch.
    private func apply(_ decision: MergeDecision, to core: inout StoreCore, isSaved: Bool = false) {
        guard !decision.isEmpty else { return }
        core.points.apply(decision)
        core.number += 1
        if cache != nil, !isSaved { core.unsaved.add(decision, oldest: core.points.first?.time) }
        batches.enqueue(
            SeriesChanges(
                number: core.number,
                inserted: decision.inserted,
                replaced: decision.replaced,
                removed: decision.removed
            )
        )
    }
}

// MARK: The cache

extension TimeSeriesStore {
    /// Reads the cache before the first request. If that fails, the cache is read again the next time.
    private func readCache(_ flight: Flight) async throws {
        guard let cache, !core.withLock({ $0.hasReadCache }) else { return }
        let cached: Result<[SeriesPoint], any Error>
        do {
            cached = .success(SeriesReply(points: try await cache.points(of: key)).points)
        } catch {
            cached = .failure(error)
        }
        try publishing { core in
            guard core.flight === flight else { throw CancellationError() }
            switch cached {
            case .success(let points):
                core.state.cacheError = nil
                let first = core.points.first?.time
                let decision = MergeDecision(
                    cached: points,
                    into: core.points,
                    maximumCount: options.retention.count
                )
                apply(decision, to: &core, isSaved: true)
                core.noteCacheRead(before: first)
                // The cache may contain more points than are kept.
                if core.unsaved.boundary != nil || core.points.count >= options.retention.count {
                    core.unsaved.remove(before: core.points.first?.time)
                }
            case .failure(let error):
                core.state.cacheError = error
            }
            stateValue.set(core.state)
        }
    }

    /// Writes the changes that are not in the cache, after a write in progress. If that fails, they are written the next
    /// time.
    ///
    /// Cancelling the task does not end the write: the changes are published, and after the end of polling there may be
    /// no next time.
    package func saveToCache() async {
        guard let cache else { return }
        await Task { await self.save(to: cache) }.value
    }

    private func save(to cache: any SeriesCache) async {
        // The task is never cancelled, so the lock does not fail.
        try? await cacheLock.withLock {
            guard let unsaved = core.withLock({ $0.takeUnsaved() }) else { return }
            var failure: (any Error)?
            do {
                try await cache.store(Array(unsaved.points), removingBefore: unsaved.boundary, of: key)
            } catch {
                failure = error
            }
            publishing { core in
                if failure != nil { core.putBack(unsaved) }
                guard failure != nil || core.state.cacheError != nil else { return }
                core.state.cacheError = failure
                stateValue.set(core.state)
            }
        }
    }
}
