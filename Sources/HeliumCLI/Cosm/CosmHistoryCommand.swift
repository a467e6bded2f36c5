import ArgumentParser
import Cosm

/// The `helium cosm history FEED DATASTREAM` command.
struct CosmHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the history of a datastream: its newest 100 datapoints, or those of a time range.",
        discussion: """
            One request returns at most 1000 points, and with --interval 0 at most 6 hours. --all sends as many \
            requests as needed. Rows are printed as they arrive, and json and xml documents when they are complete. \
            Times are in UTC unless they have an offset: 2013-02-01T09:00:00Z.
            """
    )

    @Argument(help: "The feed's id.")
    var feed: Feed.ID

    @Argument(help: "The datastream's id.")
    var datastream: String

    @OptionGroup var options: CosmOptions
    @OptionGroup var output: CosmOutputOptions

    @Option(help: ArgumentHelp("The start of the time range.", valueName: "stamp"))
    var start: Timestamp?

    @Option(
        help: ArgumentHelp(
            "The end of the time range. Default: now; with --all, the newest point if --start is after now.",
            valueName: "stamp"
        )
    )
    var end: Timestamp?

    @Option(
        help: ArgumentHelp(
            "The length of the time range, before --end or after --start: 30minutes, 1day.",
            valueName: "time"
        )
    )
    var duration: CosmDuration?

    @Option(
        help: ArgumentHelp(
            "Seconds between samples: 0 (every point), 30, 60, 300, 900, 1800, 3600, 10800, 21600, 43200, 86400.",
            valueName: "seconds"
        )
    )
    var interval: Int?

    @Flag(help: "Align samples with the interval.")
    var discrete = false

    @Flag(help: "The mean of each interval instead of samples.")
    var average = false

    @Flag(help: "Also show the last point before --start.")
    var findPrevious = false

    @Option(help: "The maximum number of points, 1 to 1000.")
    var limit: Int?

    @Flag(help: "All points from --start on, with as many requests as needed.")
    var all = false

    func validate() throws {
        if let interval, !HistoryInterval.all.contains(where: { $0.seconds == interval }) {
            throw ValidationError("invalid --interval \(interval): see --help for the possible values")
        }
        if start != nil, end != nil, duration != nil {
            throw ValidationError("--start, --end and --duration exclude each other: give two of them")
        }
        if let start, let end, start > end { throw ValidationError("--start is after --end") }
        if let limit, !(1...HistoryQuery.maximumLimit ~= limit) { throw ValidationError("--limit must be 1 to 1000") }
        if all, limit != nil { throw ValidationError("give --all or --limit, not both") }
        if all, start == nil, duration == nil { throw ValidationError("--all needs --start or --duration") }
    }

    func run() async throws {
        try await options.perform { api in
            let isDocument = output.format == .json || output.format == .xml
            let range = all ? try await stretch(api) : nil
            if let range, !isDocument { return try await printRows(walk(api, range)) }
            var document = try await read(api, range)
            var points = document.datapoints ?? []
            var unreadable = document.unreadable
            if let range { (points, unreadable) = try await collect(walk(api, range)) }
            (document.datapoints, document.unreadable) = (points, UnreadableItems())
            unreadable.report()
            // CSV has rows `at,value`. It cannot identify the datastream.
            if output.format == .csv {
                if !points.isEmpty { try output.format.show(points) { "" } }
                return
            }
            if points.isEmpty { document.datapoints = nil }
            document.id = document.id ?? datastream
            // EEML has its own version attribute.
            if output.format == .xml { document.version = nil }
            try output.format.show(document) { CosmTables.datapoints(points) }
        }
    }

    private func collect(_ history: DatapointHistory) async throws -> ([Datapoint], UnreadableItems) {
        var points: [Datapoint] = []
        var iterator = history.makeAsyncIterator()
        while let point = try await iterator.next() { points.append(point) }
        return (points, iterator.unreadable)
    }

    /// Prints the rows of `--all` one by one, until the reader of the output exits.
    private func printRows(_ history: DatapointHistory) async throws {
        var isFirst = true
        var losses = CosmLosses()
        var points = history.makeAsyncIterator()
        do {
            while let point = try await points.next() {
                guard let row = try row(point, isFirst: isFirst, &losses) else { continue }
                try Console.current.stream(document: row)
                isFirst = false
            }
        } catch is Console.BrokenPipe {
            return
        }
        losses.report(.csv)
        points.unreadable.report()
        if isFirst, output.format == .table { try Console.current.print(CosmTables.datapoints([])) }
    }

    /// - Returns: The row; `nil` if the format has no row for the point.
    private func row(_ point: Datapoint, isFirst: Bool, _ losses: inout CosmLosses) throws -> String? {
        guard output.format == .table else {
            let encoded = try [point].encoded(as: .csv)
            // That one point has no rows does not mean that the whole document has none.
            losses.add(encoded.losses.filter { !$0.path.isEmpty })
            if encoded.data.isEmpty { return nil }
            let text = String(decoding: encoded.data, as: UTF8.self)
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
        // All timestamps have the same length, so the columns are aligned with the headings.
        let table = CosmTables.datapoints([point]).text
        return isFirst ? table : String(table.drop { $0 != "\n" }.dropFirst())
    }

    /// Returns the datastream with the points of one request. For `--all`, it reads the newest point only, for the
    /// other members of the document.
    private func read(_ api: CosmClient, _ range: ClosedRange<Timestamp>?) async throws -> Datastream {
        var query = HistoryQuery(start: start, end: end, duration: duration, limit: limit)
        if let range { query = HistoryQuery(end: range.upperBound, limit: 1) }
        query.interval = interval.map { HistoryInterval(roundingUp: $0) }
        query.intervalType = discrete ? .discrete : nil
        query.findsPrevious = findPrevious && !all ? true : nil
        query.function = average ? .average : nil
        if query == HistoryQuery() { query.limit = HistoryQuery.defaultLimit }
        let options = ReadOptions(history: query)
        return try await api.datastream(datastream, in: feed, options: options)
    }

    private func walk(_ api: CosmClient, _ range: ClosedRange<Timestamp>) -> DatapointHistory {
        api.history(
            of: datastream,
            in: feed,
            from: range.lowerBound,
            to: range.upperBound,
            every: interval.map { HistoryInterval(roundingUp: $0) } ?? .everyPoint,
            type: discrete ? .discrete : nil,
            function: average ? .average : nil,
            findsPrevious: findPrevious ? true : nil
        )
    }

    /// Returns the time range of `--all`. It begins at `--start`, or `--duration` before `--end`.
    ///
    /// Without an end it ends now. If it begins after now, it ends with the newest point, which the clock of its sender
    /// may have placed there.
    private func stretch(_ api: CosmClient) async throws -> ClosedRange<Timestamp> {
        let now = Timestamp(CommandContext.current.now)
        guard let start else {
            let last = end ?? now
            let first = duration.map { last.adding(CosmDuration(-$0.count, $0.unit)) } ?? last
            return min(first, last)...last
        }
        if let last = end ?? duration.map({ start.adding($0) }) { return start...max(start, last) }
        if start <= now { return start...now }
        let newest = try await api.datastream(datastream, in: feed).at
        return start...max(start, newest ?? start)
    }
}
