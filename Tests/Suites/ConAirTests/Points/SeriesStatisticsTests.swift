import ConAir
import Testing

@Suite("Statistics of a series")
struct SeriesStatisticsTests {
    private let step = Duration.seconds(120)

    @Test("a series without points has no statistics")
    func none() { #expect(SeriesStatistics(SeriesPoints(), step: step) == nil) }

    @Test("statistics of a series are latest, minimum, maximum and mean")
    func figures() throws {
        let values = [3.0, -1, 4, 2]
        let points = SeriesPoints(values.enumerated().map { SeriesPoint(time: noon + $0 * 120, value: $1) })
        let statistics = try #require(SeriesStatistics(points, step: step))
        #expect(statistics.latest == SeriesPoint(time: noon + 360, value: 2))
        #expect((statistics.minimum, statistics.maximum, statistics.mean, statistics.count) == (-1, 4, 2, 4))
        #expect(statistics.gapCount == 0 && statistics.dayChange == nil)
    }

    @Test("the mean of values near the largest is finite")
    func largest() throws {
        let points = SeriesPoints((0..<4).map { SeriesPoint(time: noon + $0 * 120, value: 1.7e308) })
        let mean = try #require(SeriesStatistics(points, step: step)).mean
        #expect(abs(mean / 1.7e308 - 1) < 1e-12)
    }

    @Test(
        "the mean of equal values is their value",
        arguments: [0.1, 1.1e308, -1.7e308, 1.79e308],
        [3, 6, 10, 100, 720]
    )
    func equalValues(value: Double, count: Int) throws {
        let points = SeriesPoints((0..<count).map { SeriesPoint(time: noon + $0 * 120, value: value) })
        #expect(try #require(SeriesStatistics(points, step: step)).mean == value)
        // A layer of no height would fill the plot.
        let model = ChartModel(points, window: noon..<noon + count * 120, step: step, options: ChartModel.Options())
        #expect(!SVGChart(model, style: .horizon).text.contains("above layer0"))
    }

    @Test("statistics count distances of more than 1.5 steps as gaps")
    func gaps() throws {
        let times = [0, 120, 300, 480, 661, 10_000]
        let points = SeriesPoints(times.map { SeriesPoint(time: noon + $0, value: 1) })
        #expect(try #require(SeriesStatistics(points, step: step)).gapCount == 2)
        #expect(points.gaps(step: step) == [noon + 480..<noon + 661, noon + 661..<noon + 10_000])
    }

    @Test(
        "the daily change compares with the value 24 elapsed hours before, within half a step",
        arguments: [
            (-86_400, 20.0, 1.0, 5.0), (-86_460, 20, 1, 5), (-86_340, 20, 1, 5), (-86_461, 20, nil, nil),
            (-86_400, 0.1, 20.9, nil), (-86_400, -0.1, 21.1, nil), (-86_400, 0, 21, nil), (-86_400, -42, 63, 150),
            (-86_400, 0.125, 20.875, 16_700),
        ] as [(Int, Double, Double?, Double?)]
    )
    func dayChange(offset: Int, base: Double, absolute: Double?, percent: Double?) throws {
        let points = SeriesPoints([
            SeriesPoint(time: noon - 90_000, value: 7), SeriesPoint(time: noon + offset, value: base),
            SeriesPoint(time: noon, value: 21),
        ])
        let change = try #require(SeriesStatistics(points, step: step)).dayChange
        #expect(change?.absolute == absolute)
        #expect(change?.percent == percent)
        if absolute != nil { #expect(change?.base.time == noon + offset) }
    }
}
