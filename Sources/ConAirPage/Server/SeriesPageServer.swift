public import ConAir
public import Foundation
package import HeliumCore
public import HeliumServerKit
public import Logging
public import ServiceLifecycle

/// A web page that shows the series of a store, and is updated as the store changes.
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
/// The server shows the store and does not poll it. Whoever can connect can read the page: there is no sign-in. On a
/// loopback address, which is the default, requests for other hosts are refused with 421.
public final class SeriesPageServer: Service {
    /// The address that a server listens on, and what its page shows besides the points.
    public struct Configuration: Sendable {
        /// The address to listen on. Default: `127.0.0.1`, reachable from this machine only.
        public var host = "127.0.0.1"
        /// The port; 0 takes a free one. Default: 0.
        public var port = 0
        /// The title, of any origin: markup in it is shown as text. Default: none, and the page says "Series".
        public var title = ""
        /// The unit of the values, shown after them. Default: none.
        public var unit = ""
        /// The zone of the times. Default: UTC.
        public var zone = TimeZone.gmt
        /// The folder of dygraphs, with the files `dygraph.min.js` and `dygraph.min.css`, which are read when the server is
        /// made. Without them, or with `nil`, the page shows a picture that cannot be panned and zoomed.
        /// Default: where Debian's package `libjs-dygraphs` has them.
        public var dygraphs: String? = Self.debianDygraphs
        /// The maximum number of viewers that receive events at a time; further ones get 503. Default: 256.
        public var maximumViewers = 256
        /// Ceilings and times of the connections. A viewer that does not read for
        /// ``HeliumServerKit/ServerLimits/idle`` is disconnected.
        public var serverLimits = ServerLimits()
        /// The clock of heartbeats. Default: the system's.
        package var clock: any HeliumClock = SystemClock()

        /// The folder of Debian's package `libjs-dygraphs`.
        public static let debianDygraphs = "/usr/share/javascript/dygraphs"

        /// Creates a configuration with the defaults named at each property.
        public init() {}
    }

    private let server: EmbeddedServer

    /// Makes a server; nothing listens before ``run()``.
    ///
    /// - Parameters:
    ///   - store: The series to show.
    ///   - configuration: Where it listens and what it shows.
    ///   - logger: Receives failures and the address. Default: nothing is logged.
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

    /// Listens and serves until its task is cancelled or the surrounding service group shuts down. Both are a normal end.
    ///
    /// - Throws: `EmbeddedServerError` if the address cannot be listened on, or the server was run before.
    public func run() async throws { try await server.run() }

    /// Waits until the server listens, and returns the URL of the page.
    ///
    /// - Throws: The error that ended ``run()`` before the server was ready, or `CancellationError`.
    public func ready() async throws -> URL { try await server.ready()[PageService.self].url }

    /// The number of viewers that receive events.
    public var viewerCount: Int { server[PageService.self].control.feed.viewerCount }

    /// Whether the page has dygraphs: `false` if its files were not found.
    public var hasDygraphs: Bool { server[PageService.self].control.hasDygraphs }
}
