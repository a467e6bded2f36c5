import HeliumConcurrency
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import ConAir

/// A store with a source in memory and a clock that the test moves.
struct StoreFixture {
    let clock: TestClock
    let source: MemorySource
    let store: TimeSeriesStore

    init(
        options: TimeSeriesStore.Options = .init(),
        cache: (any SeriesCache)? = nil,
        random: Double = 0.5,
        clock: TestClock = makeClock(),
        source: MemorySource? = nil
    ) throws {
        self.clock = clock
        self.source = source ?? MemorySource(clock)
        store = try TimeSeriesStore(
            source: self.source,
            step: .seconds(120),
            options: options,
            cache: cache,
            clock: clock,
            random: RandomSource { UInt64(random * 0x1p53) << 11 }
        )
    }

    /// Waits until the source has received so many requests.
    func requests(_ count: Int) async throws { try await eventually { source.requests.count >= count } }

    /// Waits until so many callers wait for the collection in progress.
    func waiters(_ count: Int) async throws {
        try await eventually { store.core.withLock { $0.waiters.count } == count }
    }

    /// Waits until the run of polling waits for its next attempt.
    func pollingPause() async throws {
        try await eventually { store.state.phase == .waiting && clock.sleeperCount == 1 }
    }
}
