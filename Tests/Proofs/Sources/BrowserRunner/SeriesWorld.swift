import ConAir
import ConAirPage
import Foundation
import HeliumServer

@testable import TestSupport

/// A service with the readings of eight days, a store that polls it, and the page of that store.
struct SeriesWorld: Sendable {
    static let step = 120.0

    let service: EmbeddedServer
    let url: URL
    /// Ends the service.
    let stopSource: @Sendable () -> Void
    /// Ends the page's server.
    let stopPage: @Sendable () -> Void

    /// The begin of the present step.
    private static var present: Double { (Date().timeIntervalSince1970 / step).rounded(.down) * step }

    /// - Parameter silence: The time since the last reading, in seconds. Default: the reading of the last step is there.
    static func with(
        silence: Double = SeriesWorld.step,
        _ configure: (inout SeriesPageServer.Configuration) -> Void = { _ in },
        _ body: (SeriesWorld) async throws -> Void
    ) async throws {
        var embedded = EmbeddedServerConfiguration()
        embedded.conAir.sensor = nil
        let server = try EmbeddedServer(embedded)
        let serving = Task { try await server.run() }
        defer { serving.cancel() }
        let ready = try await server.ready()
        try await server.conAir.store(history(until: present - silence))

        let source = try ConAirHTTPSource(url: ready.conAir.data)
        var options = TimeSeriesStore.Options()
        options.pollingPeriod = .milliseconds(300)
        options.maximumDelay = .seconds(1)
        options.initialSpan = .seconds(8 * 86_400)
        let store = try TimeSeriesStore(source: source, step: .seconds(step), options: options)
        var configuration = SeriesPageServer.Configuration()
        configuration.title = "Office"
        configuration.unit = "°C"
        configuration.zone = TimeZone(identifier: "Europe/Vienna") ?? .gmt
        configuration.serverLimits.shutdown = .milliseconds(100)
        configure(&configuration)
        let page = try SeriesPageServer(store, configuration)
        let showing = Task { try await page.run() }
        defer { showing.cancel() }
        let url = try await page.ready()
        try await store.collect()
        store.startPolling()
        defer { store.stopPolling() }
        let world = SeriesWorld(service: server, url: url) {
            serving.cancel()
        } stopPage: {
            showing.cancel()
        }
        let result = await Result { try await body(world) }
        await source.close()
        try result.get()
    }

    /// Stores a reading of the present step, which is a new point, or another value of the newest one.
    func store(_ value: Double) async throws {
        let date = Date(timeIntervalSince1970: Self.present)
        try await service.conAir.store([ConAirReading(date: date, value: value)])
    }

    /// Eight days of a room: warm in the afternoon, with small changes from minute to minute, and three hours without readings
    /// that end six hours ago.
    private static func history(until end: Double) -> [ConAirReading] {
        let count = Int(8 * 86_400 / step)
        var random = SeededRandom(seed: 18)
        var drift = 0.0
        return (0..<count).reversed().compactMap { ago in
            let time = end - Double(ago) * step
            drift = drift * 0.98 + (Double(random.below(1_000)) / 1_000 - 0.5) * 0.2
            let isGap = (6 * 3_600.0..<9 * 3_600.0).contains(end - time)
            guard !isGap else { return nil }
            let value = 20.5 + 2.2 * sin((time / 86_400 - 0.4) * 2 * .pi) + drift
            return ConAirReading(date: Date(timeIntervalSince1970: time), value: (value * 100).rounded() / 100)
        }
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
