import ArgumentParser
import ConAir
import ConAirSQLite
import Foundation
import HeliumConcurrency
import Synchronization

/// A store that is polled until a signal arrives or an end is reached.
struct SeriesFollowing: Sendable {
    let store: TimeSeriesStore
    /// The points that are known before the first poll, from the cache.
    let known: SeriesPoints
    /// The time before which changes are not shown. Points of the previous day are only read for a comparison.
    let begin: SeriesTime

    /// Creates the store of a command. Its points begin at `--start`, even if those of the cache begin later.
    ///
    /// - Parameter lead: The duration before the window that is also read.
    init(
        _ series: Series,
        _ options: SeriesWindowOptions,
        period: Duration?,
        lead: Duration = .zero
    ) async throws {
        let now = SeriesTime(wallTime: CommandContext.current.clock.wallTime)
        if let stop = options.stop, stop <= now {
            throw ValidationError("--stop must not be before the present time, \(now)")
        }
        let window = try options.start ?? now.advanced(by: .zero - options.defaultSpan)
        // Without --start and a comparison, the first window depends on the clock of the source.
        begin = options.start == nil && lead == .zero ? SeriesTime(microseconds: .min) : window
        let first = window.advanced(by: .zero - lead)
        // The store reports the failure of a cache.
        known = SeriesPoints((try? await series.cache?.points(of: series.key)) ?? [])
        let missing = known.first.flatMap { series.missing(from: first, before: $0.time) }
        store = try series.store(
            span: first.duration(to: now),
            from: options.start == nil ? nil : first,
            period: period,
            missing: missing
        )
    }

    /// Polls, and calls `show` for each change, until a signal arrives, `stop` is reached, or the reader of the output
    /// has exited.
    ///
    /// - Parameter count: The number of polls after which polling ends. Default: no limit.
    /// - Throws: `ExitCode` if the last of `count` polls failed.
    func run(
        count: Int? = nil,
        until stop: SeriesTime?,
        _ show: @escaping @Sendable (SeriesChange) throws -> Void
    ) async throws {
        let (updates, states) = (store.updates, store.states)
        try await Self.untilSignal(store, until: stop) { [self] in
            let progress = PrintingProgress()
            // Two tasks, so that polls are counted even while a pipe blocks the output.
            let hasFailed = try await withThrowingTaskGroup(of: Bool?.self) { group in
                group.addTask {
                    try await print(updates, progress, show)
                    return nil
                }
                group.addTask { await countPolls(states, upTo: count) }
                var hasFailed: Bool?
                while let outcome = try await group.next() {
                    guard let outcome else { break }
                    hasFailed = outcome
                    if progress.end(at: store.snapshot.number) { break }
                }
                group.cancelAll()
                return hasFailed
            }
            if hasFailed == true { throw ExitCode(1) }
        }
    }

    /// Calls `show` for each change until the last change was shown or the task is cancelled.
    private func print(
        _ updates: SeriesUpdates,
        _ progress: PrintingProgress,
        _ show: @Sendable (SeriesChange) throws -> Void
    ) async throws {
        var shown = known
        for await update in updates {
            let number: Int
            var changes: [SeriesChange] = []
            switch update {
            case .snapshot(let snapshot):
                number = snapshot.number
                // The store has not read its cache before its first batch.
                if number > 0 {
                    changes = SeriesChange.changes(from: shown, to: snapshot.points)
                    shown = snapshot.points
                }
            case .changes(let batch):
                number = batch.number
                changes = SeriesChange.changes(batch, shown: &shown)
            }
            for change in changes where change.kind == .removed || change.point.time >= begin { try show(change) }
            if progress.note(number) { return }
        }
    }

    /// Counts and reports polls, and stops polling after `count`.
    ///
    /// - Returns: Whether the last poll failed; `false` if the task was cancelled before.
    private func countPolls(_ states: AsyncStream<TimeSeriesState>, upTo count: Int?) async -> Bool {
        var polls = PollCounter()
        for await state in states {
            polls.note(state)
            guard let count, polls.count >= count else { continue }
            store.stopPolling()
            return state.failureCount > 0
        }
        return false
    }

    /// Reports failed polls on standard error until the task is cancelled.
    static func reportFailures(of store: TimeSeriesStore) async {
        var polls = PollCounter()
        for await state in store.states { polls.note(state) }
    }

    /// Polls while `work` runs. `work` ends at a signal, at `stop`, and when the reader of its output has exited.
    static func untilSignal(
        _ store: TimeSeriesStore,
        until stop: SeriesTime?,
        signals numbers: [Int32] = TerminationSignals.standard,
        graces: [Duration] = TerminationSignals.usualEndGraces,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let task = Task {
            try await TerminationSignals.cancelling(of: numbers, graces: graces, isUsualEnd: true) {
                store.startPolling()
                try await work()
            }
        }
        let end = stop.map { stop in
            Task {
                let clock = CommandContext.current.clock
                try await clock.sleep(for: max(SeriesTime(wallTime: clock.wallTime).duration(to: stop), .zero))
                task.cancel()
            }
        }
        let result = await task.result
        store.stopPolling()
        // What was shown is also in the cache when the command ends.
        await store.saveToCache()
        end?.cancel()
        do { try result.get() } catch is CancellationError {} catch is Console.BrokenPipe {}
    }
}

/// The last batch that was shown, and the last batch to show.
private final class PrintingProgress: Sendable {
    private let state = Guarded<(shown: Int, last: Int?)>((-1, nil))

    /// Records that a batch and all earlier batches were shown.
    ///
    /// - Returns: Whether it is the last batch.
    func note(_ number: Int) -> Bool {
        state.withLock { state in
            state.shown = number
            return state.last.map { number >= $0 } ?? false
        }
    }

    /// Sets the last batch.
    ///
    /// - Returns: Whether it was already shown.
    func end(at number: Int) -> Bool {
        state.withLock { state in
            state.last = number
            return state.shown >= number
        }
    }
}

/// Counts completed polls and reports failed ones.
private struct PollCounter {
    private(set) var count = 0
    private var last = TimeSeriesState()

    mutating func note(_ state: TimeSeriesState) {
        defer { last = state }
        SeriesReading.noteSkipped(
            state.skippedCount - last.skippedCount,
            ahead: state.aheadCount - last.aheadCount
        )
        if state.cacheError != nil, last.cacheError == nil, let error = state.cacheError {
            Console.current.note("helium: the cache failed: \(error)")
        }
        if state.lastSuccess != last.lastSuccess { count += 1 }
        if state.lastFailure != last.lastFailure {
            count += 1
            if let error = state.lastError {
                Console.current.note("helium: a poll failed: \("\(error)")")
            }
        }
    }
}
