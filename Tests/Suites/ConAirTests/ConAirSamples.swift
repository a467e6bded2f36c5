import ConAir
import Foundation
import HeliumTesting
import Testing

// The samples of the documentation, compiled as they are shown.

private func times() {
    // sample
    let noon = SeriesTime("2012-12-11T12:00:00Z")
    let hourAgo = SeriesTime(Date()).advanced(by: .seconds(-3600))
    // end of sample
    _ = (noon, hourAgo)
}

private func points(_ store: TimeSeriesStore, _ now: SeriesTime) {
    // sample
    let lastHour = store.points.window(now.advanced(by: .seconds(-3600))..<now)
    for point in lastHour { print(point.time, point.value) }
    // end of sample
}

private func statistics(_ store: TimeSeriesStore) {
    // sample
    let statistics = SeriesStatistics(store.points, step: .seconds(120))
    if let change = statistics?.dayChange { print(change.absolute, change.percent ?? .nan) }
    // end of sample
}

private func read(_ window: Range<SeriesTime>, _ step: Duration) async throws -> [SeriesPoint] { [] }

// sample
struct Thermometer: TimeSeriesSource {
    let id = "thermometer"

    func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply {
        SeriesReply(points: try await read(window, step))
    }
}
// end of sample

private func httpSource(_ url: URL) async throws {
    // sample
    let source = try ConAirHTTPSource(url: url)
    let now = SeriesTime(Date())
    let day = try await source.points(in: now.advanced(by: .seconds(-86_400))..<now, step: .seconds(120))
    // end of sample
    _ = day
}

private func store(_ url: URL) async throws {
    // sample
    let source = try ConAirHTTPSource(url: url)
    let store = try TimeSeriesStore(source: source, step: .seconds(120))
    store.startPolling()
    for await update in store.updates { print(update) }
    // end of sample
}

private protocol Chart {
    func show(_ points: SeriesPoints)
    func apply(_ changes: SeriesChanges)
}

private func updates(_ store: TimeSeriesStore, _ chart: any Chart) async {
    // sample
    for await update in store.updates {
        switch update {
        case .snapshot(let snapshot): chart.show(snapshot.points)
        case .changes(let changes): chart.apply(changes)
        }
    }
    // end of sample
}

@MainActor
private func observation(_ store: TimeSeriesStore) {
    // sample
    let series = ObservableTimeSeries(store)
    let text = series.latest.map { "\($0.value) °C at \($0.time)" }
    // end of sample
    _ = text
}

private func overview(_ url: URL) async throws {
    // sample
    let source = try ConAirHTTPSource(url: url)
    let store = try TimeSeriesStore(source: source, step: .seconds(120))
    store.startPolling()
    for await update in store.updates {
        switch update {
        case .snapshot(let snapshot): print("\(snapshot.points)")
        case .changes(let changes): changes.inserted.forEach { print($0) }
        }
    }
    // end of sample
}

private func chartModel(_ store: TimeSeriesStore, _ yesterday: SeriesTime, _ now: SeriesTime, _ file: URL) throws {
    // sample
    var options = ChartModel.Options(title: "Living room", unit: "°C")
    options.zone = .current
    let chart = ChartModel(store.points, window: yesterday..<now, step: .seconds(120), options: options)
    try SVGChart(chart).data.write(to: file, options: .atomic)
    // end of sample
}

private func pictures(_ model: ChartModel, _ file: URL) throws {
    // sample
    try SVGChart(model, style: .horizon).data.write(to: file, options: .atomic)
    // end of sample
    // sample
    print(TerminalChart(model, columns: 80, rows: 20).text)
    // end of sample
}

private func charts(_ store: TimeSeriesStore, _ file: URL) throws {
    // sample
    let now = SeriesTime(Date())
    var options = ChartModel.Options(title: "Living room", unit: "°C", zone: .current)
    options.comparesDayBefore = true
    let day = now.advanced(by: .seconds(-86_400))..<now
    let chart = ChartModel(store.points, window: day, step: store.step, options: options)
    try SVGChart(chart).data.write(to: file, options: .atomic)
    print(chart.summary)
    // end of sample
}

@Suite("The samples of ConAir")
struct ConAirSamples {
    @Test("sample of ConAir: an own source is polled like any other")
    func ownSource() async throws {
        let store = try TimeSeriesStore(source: Thermometer(), step: .seconds(120), clock: TestClock())
        #expect(try await store.collect() == CollectSummary())
    }
}
