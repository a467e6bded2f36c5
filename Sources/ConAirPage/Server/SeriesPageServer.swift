public import ConAir
public import Foundation
package import HeliumCore
public import HeliumServerKit
public import Logging
public import ServiceLifecycle

/// A server of a web page that shows the series of a store and is updated when the store changes.
///
/// ```swift
/// let source = try ConAirHTTPSource(url: url)
/// let store = try TimeSeriesStore(source: source, step: .seconds(120))
/// var configuration = SeriesPageServer.Configuration()
/// configuration.title = "Office"
/// configuration.unit = "°C"
/// let page = try SeriesPageServer(store, configuration)
/// store.startPolling()
/// try await ServiceGroup(services: [page], logger: logger).run()
/// ```
///
/// The server shows the store but does not poll it. Anyone who can connect can read the page, because there is no
/// sign-in. On a loopback address, which is the default, requests for other hosts are rejected with 421.
public final class SeriesPageServer: Service {
    /// The address that a server listens on, and the texts of its page.
    public struct Configuration: Sendable {
        /// The address to listen on. Default: `127.0.0.1`, reachable from this machine only.
        public var host = "127.0.0.1"
        /// The port; 0 selects a free one. Default: 0.
        public var port = 0
        /// The title. It may come from an untrusted source: markup in it is shown as text. Default: empty, which shows
        /// "Series".
        public var title = ""
        /// The unit of the values, shown after them. Default: empty.
        public var unit = ""
        /// The time zone of displayed times. Default: UTC.
        public var zone = TimeZone.gmt
        /// The folder with the dygraphs files `dygraph.min.js` and `dygraph.min.css`, which are read when the server is
        /// created. Without them, or with `nil`, the page shows a picture that cannot be panned or zoomed. Default: the
        /// folder of Debian's package `libjs-dygraphs`.
        public var dygraphs: String? = Self.debianDygraphs
        /// The maximum number of simultaneous viewers that receive events. One address may have
        /// `ServerLimits.sharePerAddress` of them, by default three quarters. Further viewers get 503. Default: 256.
        public var maximumViewers = 256
        /// The limits and timeouts of the connections. A viewer that does not read for
        /// `ServerLimits.idle` is disconnected.
        public var serverLimits = ServerLimits()
        /// The clock for heartbeats. Default: the system clock.
        package var clock: any HeliumClock = SystemClock()

        /// The folder of Debian's package `libjs-dygraphs`.
        public static let debianDygraphs = "/usr/share/javascript/dygraphs"

        /// Creates a configuration with the defaults given for each property.
        public init() {}
    }

    private let server: EmbeddedServer

    /// Creates a server. It does not listen before ``run()``.
    ///
    /// - Parameters:
    ///   - store: The series to show.
    ///   - configuration: The address and the texts of the page.
    ///   - logger: Receives errors and the address. Default: nothing is logged.
    /// - Throws: `EmbeddedServerError` for an invalid configuration.
    public init(
        _ store: TimeSeriesStore,
        _ configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "helium.page") { _ in SwiftLogNoOpLogHandler() }
    ) throws {
        var embedded = EmbeddedServerConfiguration()
        embedded.host = configuration.host
        embedded.port = configuration.port
        embedded.limits = configuration.serverLimits
        var settings = PageSettings()
        settings.page = configuration
        settings.store = store
        embedded[PageService.self] = settings
        server = try EmbeddedServer(embedded, protocols: [PageService.self], logger: logger)
    }

    /// Listens and serves until its task is cancelled or the surrounding service group shuts down. Both end without an
    /// error.
    ///
    /// - Throws: `EmbeddedServerError` if listening on the address fails, or if the server was run before.
    public func run() async throws { try await server.run() }

    /// Waits until the server listens, and returns the URL of the page.
    ///
    /// - Throws: The error that ended ``run()`` before the server was ready, or `CancellationError`.
    public func ready() async throws -> URL { try await server.ready()[PageService.self].url }

    /// The number of viewers that receive events.
    public var viewerCount: Int { server[PageService.self].control.feed.viewerCount }

    /// Whether the page uses dygraphs: `false` if its files were not found.
    public var hasDygraphs: Bool { server[PageService.self].control.hasDygraphs }
}
