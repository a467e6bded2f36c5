import ArgumentParser
import ConAir
import ConAirSQLite
import Foundation

/// A store that is polled until a signal comes, or an end is reached.
struct SeriesFollowing: Sendable {
    let store: TimeSeriesStore
    /// The points that are known before the first poll: those of the cache.
    let known: SeriesPoints

    /// A store for a command, whose first window begins at `--start`.
    ///
    /// - Parameter lead: The time before the window that is read too.
    init(
        _ series: Series,
        _ options: SeriesWindowOptions,
        period: Duration?,
        lead: Duration = .zero
    ) async throws {
        let now = SeriesTime(Date())
        if let stop = options.stop, stop <= now { throw ValidationError("--stop is before the present time, \(now)") }
        let first = options.start ?? now.advanced(by: .zero - SeriesWindowOptions.defaultSpan)
        let span = first.advanced(by: .zero - lead).duration(to: now)
        store = try series.store(span: span, period: period)
        // A cache that fails is reported by the store.
        let points = try? await series.cache?.points(of: SeriesKey(source: series.source.id, step: series.step))
        known = SeriesPoints(points ?? [])
    }

    /// Polls, and calls `show` for each change, until a signal comes, `stop` is reached, or nobody reads what is printed.
    ///
    /// - Parameter count: The number of polls after which this ends. Default: no end.
    /// - Throws: `ExitCode` if the last one of `count` polls failed.
    func run(
        count: Int? = nil,
        until stop: SeriesTime?,
        _ show: @escaping @Sendable (SeriesChange) throws -> Void
    ) async throws {
        try await Self.untilSignal(store, until: stop) { [store, known] in
            var (shown, number) = (known, 0)
            var polls = PollCounter()
            for await state in store.states {
                let snapshot = store.snapshot
                if snapshot.number != number {
                    for change in SeriesChange.changes(from: shown, to: snapshot.points) { try show(change) }
                    (shown, number) = (snapshot.points, snapshot.number)
                }
                polls.note(state)
                guard let count, polls.count >= count else { continue }
                if state.failureCount > 0 { throw ExitCode(1) }
                return
            }
        }
    }

    /// Reports polls that fail on stderr, until the task is cancelled.
    static func reportFailures(of store: TimeSeriesStore) async {
        var polls = PollCounter()
        for await state in store.states { polls.note(state) }
    }

    /// Polls while `work` runs, which ends at a signal, at `stop`, and when nobody reads what it prints.
    static func untilSignal(
        _ store: TimeSeriesStore,
        until stop: SeriesTime?,
        signals numbers: [Int32] = [SIGINT, SIGTERM],
        graces: [Duration] = TerminationSignals.standardGraces,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let task = Task {
            try await TerminationSignals.cancelling(of: numbers, graces: graces) {
                store.startPolling()
                try await work()
            }
        }
        let end = stop.map { stop in
            Task {
                try await Task.sleep(for: max(SeriesTime(Date()).duration(to: stop), .zero))
                task.cancel()
            }
        }
        let result = await task.result
        store.stopPolling()
        end?.cancel()
        do { try result.get() } catch is CancellationError {} catch is Console.NobodyReads {}
    }
}

/// Counts the polls that have ended, and reports those that failed.
private struct PollCounter {
    private(set) var count = 0
    private var last = TimeSeriesState()

    mutating func note(_ state: TimeSeriesState) {
        defer { last = state }
        if state.skippedCount > last.skippedCount {
            let count = state.skippedCount - last.skippedCount
            Console.note("helium: \(count) elements had no readable time or no finite number")
        }
        if state.cacheError != nil, last.cacheError == nil, let error = state.cacheError {
            Console.note("helium: the cache failed: \(error)")
        }
        if state.lastSuccess != last.lastSuccess { count += 1 }
        if state.lastFailure != last.lastFailure {
            count += 1
            if let error = state.lastError { Console.note("helium: a poll failed: \(PrintableText.line("\(error)"))") }
        }
    }
}
