import ConAir
import Foundation
import HeliumTesting
import Testing

@testable import ConAirPage

@Suite("ConAirPage charts")
struct ConAirPageChartsTests {
    @Test("a chart is drawn once for all viewers of a range, and again after a change")
    func sharing() async throws {
        let clock = TestClock(wallTime: .seconds(1_355_227_200))
        let source = PageSource()
        source.set(noon - 120, 1)
        let store = try TimeSeriesStore(source: source, step: .seconds(120), clock: clock)
        let texts = PageTexts(title: "", unit: "", zone: .gmt)
        let charts = PageCharts(store, texts: texts)
        try await store.collect()
        func snapshot(_ range: PageRange = .day) -> String {
            let status = PageStatus(store.state, texts: texts)
            return String(decoding: charts.snapshot(range, status), as: UTF8.self)
        }
        let first = snapshot()
        for _ in 0..<256 { #expect(snapshot() == first) }
        #expect(charts.picture(.day, .wide) == charts.picture(.day, .wide))
        #expect(charts.picture(.day, .wide) != charts.picture(.day, .narrow))
        #expect(charts.madeCount == 1)
        _ = snapshot(.week)
        #expect(charts.madeCount == 2)
        source.set(noon - 120, 2)
        try await store.collect()
        #expect(snapshot().contains("[[1355227080000,2.0]]"))
        #expect(charts.madeCount == 3)
        clock.advance(by: .seconds(9))
        _ = snapshot()
        #expect(charts.madeCount == 3)
        clock.advance(by: .seconds(1))
        _ = snapshot()
        #expect(charts.madeCount == 4)
    }
}
