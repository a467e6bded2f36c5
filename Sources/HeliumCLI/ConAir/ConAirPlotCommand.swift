import ArgumentParser
import ConAir

/// The `helium conair plot FILE.svg` command.
struct ConAirPlotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draw the points of a window as an SVG picture.",
        discussion: """
            The file is replaced in one step, and remains as it is if the source fails. A window without points \
            results in a picture with the text "No data".
            """
    )

    @Argument(help: "The file; - is standard output.", completion: .file(extensions: ["svg"]))
    var file: String

    @OptionGroup var options: SeriesOptions
    @OptionGroup var chart: SeriesChartOptions
    @OptionGroup var picture: PictureOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("FILE is empty: give the path of a file") }
    }

    func run() async throws {
        let (path, window, chart, look) = (file, options.window, chart, picture)
        try await options.perform { series in
            let file = try PictureFile(path)
            try await TerminationSignals.cancelling {
                let reading = try await SeriesReading.read(series, window, lead: chart.lead)
                let zone = try window.zone
                let model = chart.model(reading.points, reading.window, step: series.step, zone: zone)
                try await file.write(look.picture(model))
            }
        }
    }
}
