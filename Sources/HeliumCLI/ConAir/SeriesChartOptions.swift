import ArgumentParser
import ConAir
import Foundation
import HeliumFiles

/// The labels and options of a chart.
struct SeriesChartOptions: ParsableArguments {
    @Option(help: "The title of the chart.")
    var title: String?

    @Option(help: ArgumentHelp("The unit of the values, for example °C.", valueName: "text"))
    var unit: String?

    @Flag(help: "Also draw the values of the previous 24 hours.")
    var compare = false

    /// The duration before the window that is also read.
    var lead: Duration { compare ? .seconds(86_400) : .zero }

    /// Returns the chart of points that were read.
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

/// The style of a picture.
struct PictureOptions: ParsableArguments {
    @Flag(help: "Draw the distance from the mean, folded into layers of colour.")
    var horizon = false

    @Flag(help: "Use light colours on a dark background, regardless of the reader's preference.")
    var dark = false

    @Option(
        help: ArgumentHelp(
            "The width of the picture in pixels, 240 to 4000: 360 is readable on a phone. Default: 480.",
            valueName: "pixels"
        )
    )
    var width: Int?

    /// The widths that `--width` accepts.
    private static let widths = 240...4_000

    /// Whether an option of the picture was given.
    var isUsed: Bool { horizon || dark || width != nil }

    func validate() throws {
        if let width, !Self.widths.contains(width) {
            throw ValidationError("invalid --width \"\(width)\": use 240 to 4000 pixels, for example 360")
        }
    }

    /// Returns the picture of a chart.
    func picture(_ model: ChartModel) -> SVGChart {
        var picture = SVGChart(model, style: horizon ? .horizon : .line, theme: dark ? .dark : .automatic)
        if let width { picture.width = Double(width) }
        return picture
    }
}

/// The file of a picture, or standard output.
struct PictureFile {
    private let path: String
    /// The file; `nil` for standard output.
    private let target: FileTarget?

    /// Checks the path before any request.
    ///
    /// - Parameter path: The path of the file, or `-` for standard output.
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    init(_ path: String) throws {
        self.path = path
        do { target = try path == "-" ? nil : FileTarget(CommandContext.current.path(path)) } catch {
            throw Self.failure(path, error)
        }
    }

    /// Replaces the file atomically. Pipes and devices are written directly.
    ///
    /// - Throws: ``CommandFailure`` or ``OutputFailure`` if the file cannot be written; `CancellationError`.
    func write(_ picture: SVGChart) async throws {
        guard let target else { return try Console.current.write(document: picture.data) }
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
