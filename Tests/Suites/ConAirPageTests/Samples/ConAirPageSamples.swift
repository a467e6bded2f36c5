import ConAirPage
import Foundation
import Logging
import ServiceLifecycle

// The samples of the documentation, compiled as they are shown.

private func group(_ url: URL, _ logger: Logger) async throws {
    // sample
    let source = try ConAirHTTPSource(url: url)
    let store = try TimeSeriesStore(source: source, step: .seconds(120))
    var configuration = SeriesPageServer.Configuration()
    configuration.title = "Office"
    configuration.unit = "°C"
    let page = try SeriesPageServer(store, configuration)
    store.startPolling()
    try await ServiceGroup(services: [page], logger: logger).run()
    // end of sample
}

private func alone(_ url: URL) async throws {
    // sample
    let source = try ConAirHTTPSource(url: url)
    let store = try TimeSeriesStore(source: source, step: .seconds(120))
    var configuration = SeriesPageServer.Configuration()
    configuration.title = "Office"
    configuration.unit = "°C"
    configuration.port = 8081
    let page = try SeriesPageServer(store, configuration)
    store.startPolling()
    try await page.run()
    // end of sample
}
