internal import ConAir
internal import HeliumJSON

/// The JSON documents of a page, in UTF-8.
enum PageDocuments {
    /// Returns the points of a chart: `[[milliseconds since 1970, value], …]`. A `null` value between runs interrupts
    /// the line.
    static func points(_ chart: ChartModel) -> [UInt8] {
        var rows = Rows()
        var last: SeriesTime?
        for run in chart.runs {
            if let last, let first = run.points.first?.time {
                let half = Duration.microseconds(last.duration(to: first) / .microseconds(1) / 2)
                rows.add(last.advanced(by: half), nil)
            }
            for point in run.points { rows.add(point.time, point.value) }
            last = run.points.last?.time ?? last
        }
        return rows.finished
    }

    /// Returns the chart of a range, the newest value and the state: the content of `/data.json`, and the data of the
    /// event `snapshot`.
    ///
    /// - Parameter points: The document of the points of the chart.
    static func snapshot(
        _ chart: ChartModel,
        _ points: [UInt8],
        _ range: PageRange,
        number: Int,
        _ newest: PageNewest,
        _ status: PageStatus
    ) -> [UInt8] {
        let window = "[\(milliseconds(chart.window.lowerBound)),\(milliseconds(chart.window.upperBound))]"
        var bytes = Array("{\"range\":\"\(range.rawValue)\",\"number\":\(number),\"window\":\(window),\"points\":".utf8)
        bytes += points
        // A chart without values shows none of its points, so that any digits do.
        let digits = chart.digits(showing: 0)
        bytes +=
            ",\"digits\":{\"last\":\(digits.last),\"fixed\":\(digits.isFixed),\"flat\":\(chart.isFlat)},\"newest\":"
            .utf8
        var document: JSONObject = [:]
        document["value"] = newest.value.map(JSONValue.string) ?? .null
        document["time"] = newest.time.map(JSONValue.string) ?? .null
        bytes += JSONValue.object(document).text().utf8
        bytes += ",\"status\":".utf8
        bytes += self.status(status)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Returns the data of the event `changes`.
    static func changes(_ changes: SeriesChanges) -> [UInt8] {
        var bytes = Array("{\"number\":\(changes.number)".utf8)
        let members = [
            ("inserted", changes.inserted), ("replaced", changes.replaced), ("removed", changes.removed),
        ]
        for (name, points) in members {
            var rows = Rows()
            for point in points { rows.add(point.time, point.value) }
            bytes += ",\"\(name)\":".utf8
            bytes += rows.finished
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Returns the data of the event `state`.
    static func status(_ status: PageStatus) -> [UInt8] {
        var document: JSONObject = ["kind": .string(status.kind.rawValue), "words": .string(status.words)]
        document["error"] = status.error.map(JSONValue.string) ?? .null
        return Array(JSONValue.object(document).text().utf8)
    }

    /// Returns milliseconds since 1970, with a fraction only if it is not zero.
    private static func milliseconds(_ time: SeriesTime) -> String {
        let (whole, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000)
        return rest == 0 ? "\(whole)" : "\(Double(time.microseconds) / 1_000)"
    }

    /// An array of rows of time and value.
    private struct Rows {
        private var bytes: [UInt8] = [UInt8(ascii: "[")]

        mutating func add(_ time: SeriesTime, _ value: Double?) {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            // JSON does not support numbers that are not finite.
            let text = value.flatMap { $0.isFinite ? "\($0)" : nil } ?? "null"
            bytes += "[\(milliseconds(time)),\(text)]".utf8
        }

        var finished: [UInt8] { bytes + [UInt8(ascii: "]")] }
    }
}
