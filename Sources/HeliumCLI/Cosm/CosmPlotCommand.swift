import ArgumentParser
import ConAir
import Cosm
import Foundation

/// The `helium cosm plot FEED DATASTREAM` command.
struct CosmPlotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draw a datastream: as text, or with --svg as a picture.",
        discussion: """
            Each point is the mean of one --step. The text consists of braille characters, or of ASCII if the locale \
            is not UTF-8. It has colours on a terminal, unless the variable NO_COLOR is set. Title and unit are those \
            of the feed.
            """
    )

    @Argument(help: "The feed's id.")
    var feed: Feed.ID

    @Argument(help: "The datastream's id.")
    var datastream: String

    @OptionGroup var options: CosmOptions
    @OptionGroup var window: SeriesWindowOptions
    @OptionGroup var chart: SeriesChartOptions
    @OptionGroup var picture: PictureOptions

    @Option(
        help: ArgumentHelp(
            "A file for the picture, which is replaced in one step; - is standard output.",
            valueName: "file"
        ),
        completion: .file(extensions: ["svg"])
    )
    var svg: String?

    func validate() throws {
        if svg?.isEmpty == true { throw ValidationError("--svg is empty: give the path of a file") }
        if svg == nil, picture.isUsed { throw ValidationError("--horizon, --dark and --width need --svg") }
    }

    func run() async throws {
        let command = self
        try await options.perform { api in
            do {
                let file = try command.svg.map(PictureFile.init)
                let model = try await TerminationSignals.cancelling { try await command.model(api) }
                if let file { return try await file.write(command.picture.picture(model)) }
                try command.print(model)
            } catch let error as CommandFailure {
                throw CosmOptions.fail(error.description)
            }
        }
    }

    private func model(_ api: CosmClient) async throws -> ChartModel {
        let document = try await api.feed(feed, options: ReadOptions(datastreams: [datastream]))
        let series = Series(
            source: CosmSeriesSource(api: api, feed: feed, datastream: datastream),
            step: try window.step
        ) {}
        let reading = try await SeriesReading.read(series, window, lead: chart.lead)
        var chart = chart
        let unit = document.datastreams?.first { $0.id == datastream }?.unit
        chart.title = chart.title ?? [document.title ?? "\(feed)", datastream].joined(separator: " ")
        chart.unit = chart.unit ?? unit?.symbol ?? unit?.label
        return chart.model(reading.points, reading.window, step: series.step, zone: try window.zone)
    }

    private func print(_ model: ChartModel) throws {
        let (columns, rows) = Terminal.size(of: Console.current.output)
        // The only escape sequences in the text are those of the chart. Text from other sources contains none.
        let text = ChartTerminal().chart(model, columns: columns, rows: min(rows - 1, 20)).text
        try Console.current.writeUnescaped(Data(text.utf8))
    }
}
