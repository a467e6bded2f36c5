import ConAir
import Foundation
import HeliumTesting
import TestSupport
import Testing

@testable import ConAirPage

@Suite("ConAirPage states", .timeLimit(.minutes(5)))
struct ConAirPageStatusTests {
    private let clock = TestClock(wallTime: .seconds(1_355_227_200))
    private let source = PageSource()
    private let texts = PageTexts(title: "", unit: "°C", zone: .gmt)

    private func status(_ store: TimeSeriesStore) -> PageStatus { PageStatus(store.state, texts: texts) }

    @Test("the state on the page follows a store from its start over failures to its end")
    func life() async throws {
        source.set(noon - 120, 21.4)
        let store = try TimeSeriesStore(
            source: source,
            step: .seconds(120),
            clock: clock,
            random: .init { UInt64(0.5 * 0x1p53) << 11 }
        )
        #expect(status(store).kind == .stopped)
        #expect(status(store).words == "Not polling. No response yet.")

        store.startPolling()
        #expect([.waiting, .current].contains(status(store).kind))
        try await eventually { store.state.phase == .waiting && clock.sleeperCount == 1 }
        #expect(status(store).kind == .current)
        #expect(status(store).words == "Current. Updated at 2012-12-11 12:00:00. Next attempt at 12:00:10.")

        source.fail("<b>no\u{1B}[31m route</b>")
        clock.advance(by: .seconds(10))
        try await eventually { store.state.failureCount == 1 && clock.sleeperCount == 1 }
        #expect(status(store).kind == .failing)
        #expect(
            status(store).words.hasPrefix(
                "Failing: the last attempt failed. Last response at 2012-12-11 12:00:00. Next attempt at 12:00:"
            )
        )
        let error = try #require(status(store).error)
        #expect(error.hasPrefix("<b>no") && !error.contains("\u{1B}"))

        clock.advance(by: .seconds(25))
        try await eventually { store.state.isStale && store.state.failureCount == 2 }
        #expect(status(store).kind == .stale)
        #expect(status(store).words.hasPrefix("Stale: no response since 2012-12-11 12:00:00. Next attempt at "))

        store.stopPolling()
        #expect([.failing, .stopped].contains(status(store).kind))
        source.fail(nil)
        try await store.collect()
        #expect(status(store).kind == .stopped)
        #expect(status(store).words.hasPrefix("Not polling. Last response at 2012-12-11 12:00:"))
        #expect(status(store).error == nil)
    }

    @Test("a long error is cut on the page")
    func longError() async throws {
        source.fail(String(repeating: "long ", count: 10_000))
        let store = try TimeSeriesStore(source: source, step: .seconds(120), clock: clock)
        _ = try? await store.collect()
        #expect(status(store).kind == .failing)
        #expect(try #require(status(store).error).utf8.count < 500)
    }
}
