import ArgumentParser
import Cosm

/// The `helium cosm feeds` command.
struct CosmFeedsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feeds",
        abstract: "List feeds, or search them.",
        discussion: "Without --all, one page is shown. If there are more feeds, their number is printed on stderr."
    )

    @OptionGroup var options: CosmOptions
    @OptionGroup var output: CosmOutputOptions

    @Option(name: [.short, .customLong("query")], help: "The words to search for.")
    var query: String?

    @Option(help: "A tag of a datastream.")
    var tag: String?

    @Option(help: "The owner's login.")
    var user: String?

    @Option(help: "The unit of a datastream: its label, symbol or type.")
    var units: String?

    @Option(help: "live or frozen.")
    var status: Feed.Status?

    @Option(help: "created_at, retrieved_at or relevance.")
    var order: FeedQuery.Order?

    @Option(parsing: .unconditional, help: "Degrees north of the centre of an area; needs --lon.")
    var lat: Double?

    @Option(parsing: .unconditional, help: "Degrees east of the centre of an area; needs --lat.")
    var lon: Double?

    @Option(help: "The radius of the area in kilometres. Default: unlimited, sorted by distance.")
    var distance: Double?

    @Option(help: "The number of the page, starting with 1.")
    var page: Int?

    @Option(help: "The number of feeds on a page, 1 to 1000.")
    var perPage: Int?

    @Flag(help: "Show all pages, beginning with --page.")
    var all = false

    @Flag(help: "Leave out the datastreams.")
    var summary = false

    func validate() throws {
        if (lat == nil) != (lon == nil) { throw ValidationError("give both --lat and --lon, or neither") }
        if distance != nil, lat == nil { throw ValidationError("--distance needs --lat and --lon") }
        if let page, page < 1 { throw ValidationError("--page must be at least 1") }
        if let perPage, !(1...1000 ~= perPage) { throw ValidationError("--per-page must be 1 to 1000") }
    }

    func run() async throws {
        try await options.perform { api in
            var page = FeedPage()
            var failure: (any Error)?
            if all {
                do {
                    for try await next in api.allFeeds(feedQuery).pages {
                        page.results += next.results
                        page.unreadable.add(next.unreadable)
                    }
                } catch {
                    // A page that cannot be read does not discard those before it.
                    let isEmpty = page.results.isEmpty && page.unreadable.isEmpty
                    guard !(error is CancellationError), !isEmpty else { throw error }
                    failure = error
                }
                page.totalResults = page.results.count + page.unreadable.count
            } else {
                page = try await api.feeds(feedQuery)
            }
            let unreadable = page.unreadable
            page.unreadable = UnreadableItems()
            var datastreams = UnreadableItems()
            for index in page.results.indices {
                datastreams.add(page.results[index].unreadable)
                page.results[index].unreadable = UnreadableItems()
            }
            page.results = page.results.map { $0.adapted(to: output.format) }
            try output.format.show(page) { CosmTables.feeds(page.results) }
            unreadable.report()
            datastreams.report(of: "datastreams: ")
            if let total = page.totalResults, total > page.results.count {
                Console.current.note("helium: \(page.results.count) of \(total) feeds")
            }
            if let failure { throw failure }
        }
    }

    private var feedQuery: FeedQuery {
        var feedQuery = FeedQuery(
            page: page,
            perPage: perPage,
            content: summary ? .summary : nil,
            text: query,
            tag: tag,
            user: user,
            units: units,
            status: status,
            order: order
        )
        if let lat, let lon { feedQuery.area = FeedQuery.Area(latitude: lat, longitude: lon, distance: distance) }
        return feedQuery
    }
}

/// The `helium cosm feed ID` command.
struct CosmFeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "feed", abstract: "Show a feed.")

    @Argument(help: "The feed's id.")
    var id: Feed.ID

    @OptionGroup var options: CosmOptions
    @OptionGroup var output: CosmOutputOptions

    @Option(name: .customLong("datastream"), help: "Only this datastream. Repeatable.")
    var datastreams: [String] = []

    func run() async throws {
        try await options.perform { api in
            let wanted = datastreams.isEmpty ? nil : datastreams
            var feed = try await api.feed(id, options: ReadOptions(datastreams: wanted, showsUser: true))
            let unreadable = feed.unreadable
            feed.unreadable = UnreadableItems()
            try output.format.show(feed.adapted(to: output.format)) { CosmTables.feed(feed) }
            unreadable.report()
        }
    }
}

/// The `helium cosm delete ID` command.
struct CosmDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a feed with its datastreams and all their datapoints."
    )

    @Argument(help: "The feed's id.")
    var id: Feed.ID

    @OptionGroup var options: CosmOptions

    func run() async throws {
        try await options.perform { try await $0.deleteFeed(id) }
    }
}
