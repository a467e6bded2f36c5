import ArgumentParser
import ConAir
import ConAirSQLite
import Cosm
import Foundation
import HeliumKit

/// The series and its connection options.
struct SeriesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The series: a URL, or cosm:FEED/DATASTREAM. Default: the variable CONAIR_SOURCE.",
            valueName: "source"
        )
    )
    var source: SeriesSourceArgument?

    @OptionGroup var window: SeriesWindowOptions

    @Option(
        help: ArgumentHelp("A file that stores the points. Created if it does not exist.", valueName: "file"),
        completion: .file()
    )
    var cache: String?

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        _ = try source?.place(for: "--source")
        try FilePath.check(cache, for: "--cache")
        if cache?.isEmpty == true { throw ValidationError("--cache is empty: give the path of a file") }
    }

    /// Runs `work` with the series and closes it. An error is reported, and the command ends with its exit code.
    func perform(_ work: @escaping @Sendable (Series) async throws -> Void) async throws {
        try connection.apply()
        let series: Series
        do { series = try makeSeries() } catch { throw Self.report(error) }
        do {
            try await work(series)
            await series.close()
        } catch {
            await series.close()
            throw Self.report(error)
        }
    }

    private func makeSeries() throws -> Series {
        let place = try place
        let cache = try openCache()
        if let aside = cache?.movedTo {
            Console.current.note("helium: the cache was damaged and was moved to \(aside)")
        }
        let step = try window.step
        switch place {
        case .url(let url):
            var options = ClientOptions()
            options.timeouts.total = connection.timeout?.duration ?? .seconds(60)
            let source = try ConAirHTTPSource(
                url: url,
                options: options,
                connection: connection.connection,
                environment: CommandContext.current.client
            )
            return Series(source: source, step: step, cache: cache) { await source.close() }
        case .cosm(let feed, let datastream):
            var options = try CosmOptions.parse([])
            options.connection = connection
            let api = try options.makeAPI()
            let source = CosmSeriesSource(api: api, feed: feed, datastream: datastream)
            return Series(source: source, step: step, cache: cache) { await api.close() }
        }
    }

    private func openCache() throws -> SQLiteSeriesCache? {
        guard let cache else { return nil }
        do {
            return try SQLiteSeriesCache(path: CommandContext.current.path(cache))
        } catch let error as SeriesCacheError where [.foreign, .cannotOpen].contains(error.kind) {
            throw CommandFailure("\(cache): \(error)")
        }
    }

    private var place: SeriesSourceArgument.Place {
        get throws {
            if let source { return try source.place(for: "--source") }
            guard let text = CommandContext.current.variable("CONAIR_SOURCE") else {
                throw ValidationError(
                    "no source: set CONAIR_SOURCE, or give --source, for example http://127.0.0.1:8080/data/ or cosm:504/temp"
                )
            }
            return try SeriesSourceArgument(text).place(for: "CONAIR_SOURCE")
        }
    }

    /// Reports an error on standard error and returns the exit code of the command: 64 for a usage error, otherwise 1.
    static func report(_ error: any Error) -> any Error {
        switch error {
        case is ExitCode, is ValidationError: error
        case is CosmError: CosmOptions.report(error)
        default: FailureReport().show(error)
        }
    }
}

/// A series that a command uses.
struct Series: Sendable {
    let source: any TimeSeriesSource
    let step: Duration
    let cache: SQLiteSeriesCache?
    private let closeSource: @Sendable () async -> Void

    init(
        source: any TimeSeriesSource,
        step: Duration,
        cache: SQLiteSeriesCache? = nil,
        close: @escaping @Sendable () async -> Void
    ) {
        self.source = source
        self.step = step
        self.cache = cache
        closeSource = close
    }

    /// Cancels the requests in progress and closes the cache file.
    func close() async {
        await closeSource()
        // Errors are ignored: the points are either in the file or can be read again.
        try? cache?.close()
    }

    /// The key of the series in the cache.
    var key: SeriesKey { SeriesKey(source: source.id, step: step) }

    /// Returns the times from a start on that the points from `known` on do not cover; `nil` if there is no step between
    /// them.
    ///
    /// The starts of two steps are at least a step apart, so a shorter time before a point contains no point.
    func missing(from start: SeriesTime, before known: SeriesTime) -> Range<SeriesTime>? {
        start.advanced(by: step) <= known ? start..<known : nil
    }

    /// Creates a store that begins a certain time ago.
    ///
    /// - Parameters:
    ///   - span: The length of the first window of a store without points.
    ///   - start: The time at which that window begins, independent of the time of the first response. Default: `span`
    ///     ago.
    ///   - missing: The times before the points of the cache that are also read. Default: none.
    func store(
        span: Duration,
        from start: SeriesTime? = nil,
        period: Duration? = nil,
        missing: Range<SeriesTime>? = nil
    ) throws -> TimeSeriesStore {
        var options = TimeSeriesStore.Options()
        options.initialSpan = max(span, .zero)
        options.initialStart = start
        options.retention.age = max(options.retention.age, span + .seconds(86_400))
        if let period { options.pollingPeriod = period }
        let extended: (any TimeSeriesSource)? = missing.map { ExtendedSource(source, missing: $0) }
        return try TimeSeriesStore(source: extended ?? source, step: step, options: options, cache: cache)
    }
}
