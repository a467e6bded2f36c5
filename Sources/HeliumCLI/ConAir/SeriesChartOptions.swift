import ArgumentParser
import ConAir
import Foundation
import HeliumFiles

/// What a chart shows besides the points.
struct SeriesChartOptions: ParsableArguments {
    @Option(help: "The title of the chart.")
    var title: String?

    @Option(help: ArgumentHelp("The unit of the values, for example °C.", valueName: "text"))
    var unit: String?

    @Flag(help: "Draw the values of 24 hours before too.")
    var compare = false

    /// The time before the window that is read too.
    var lead: Duration { compare ? .seconds(86_400) : .zero }

    /// The chart of what was read.
    func model(_ points: SeriesPoints, _ window: Range<SeriesTime>, step: Duration, zone: TimeZone) -> ChartModel {
        let options = ChartModel.Options(
            title: title ?? "",
            unit: unit ?? "",
            zone: zone,
            comparesDayBefore: compare
        )
        return ChartModel(points, window: window, step: step, options: options)
    }
}

/// The look of a picture.
struct PictureOptions: ParsableArguments {
    @Flag(help: "Draw the distance from the mean, folded into layers of colour.")
    var horizon = false

    @Flag(help: "Use light colours on dark, whatever the reader prefers.")
    var dark = false

    /// The picture of a chart.
    func picture(_ model: ChartModel) -> SVGChart {
        SVGChart(model, style: horizon ? .horizon : .line, theme: dark ? .dark : .automatic)
    }
}

/// The file of a picture.
struct PictureFile {
    private let path: String
    private let target: FileTarget

    /// Examines the path, before anything is asked for.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ path: String) throws {
        self.path = path
        do { target = try FileTarget(path) } catch { throw Self.failure(path, error) }
    }

    /// Replaces the contents in one step. Writes pipes and devices directly.
    ///
    /// - Throws: ``CommandFailure``; `CancellationError`.
    func write(_ picture: SVGChart) async throws {
        do {
            if target.isReplaced {
                try target.replace(with: picture.data)
            } else {
                try await DirectOutput(target).write(picture.data)
            }
        } catch let error as SystemError {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: SystemError) -> CommandFailure {
        CommandFailure("the file \(PrintableText.line(path)) can't be written: \(error)")
    }
}
