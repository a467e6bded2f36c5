internal import Foundation
internal import HeliumJSON

/// Collects the losses of CSV while rows are written.
private struct CSVOutput {
    var writer: CSVWriter
    var losses: [EncodedDocument.Loss] = []

    static let noPlace = "CSV can't represent it"

    init(points: Int = 0) { writer = CSVWriter(capacity: points * 44) }

    mutating func lose(_ path: String, _ reason: String = noPlace) {
        losses.append(EncodedDocument.Loss(path: path, reason: reason))
    }

    /// Adds a loss for each member of a record that has a value, except those with the given names.
    mutating func lose(_ record: some CosmRecord, besides names: Set<String>, at path: String) {
        for name in record.presentMembers where !names.contains(name) {
            lose(path.isEmpty ? name : "\(path).\(name)")
        }
    }

    /// Adds a loss for a text with blanks at its beginning or end, because reading trims cells.
    mutating func check(_ text: String, _ path: @autoclosure () -> String) {
        guard let first = text.utf8.first, let last = text.utf8.last,
            CSVScanner.Character.isBlank(first) || CSVScanner.Character.isBlank(last)
        else { return }
        lose(path(), "spaces around a cell are trimmed")
    }

    var document: EncodedDocument {
        var losses = losses
        if writer.bytes.isEmpty {
            losses.append(EncodedDocument.Loss(path: "", reason: "a document without rows can't be read"))
        }
        return EncodedDocument(data: Data(writer.bytes), losses: losses)
    }
}

extension CSVFormat {
    // MARK: Datapoints

    static func write(_ points: [Datapoint]) -> EncodedDocument {
        var output = CSVOutput(points: points.count)
        for index in points.indices { write(points[index], &output, [], at: "[\(index)]") }
        return output.document
    }

    static func write(_ point: Datapoint) -> EncodedDocument {
        var output = CSVOutput()
        output.lose(point, besides: ["value"], at: "")
        if let value = point.value {
            output.writer.cell(value.text, isAlone: true)
            output.check(value.text, "value")
        }
        return output.document
    }

    /// Writes a row. A point that a reader could not read is left out and added to the losses.
    private static func write(
        _ point: Datapoint,
        _ output: inout CSVOutput,
        _ ids: [String],
        at path: @autoclosure () -> String
    ) {
        guard let at = point.at else { return output.lose(path(), "a point without a timestamp has no row") }
        guard let value = point.value else { return output.lose(path(), "a point without a value has no row") }
        for id in ids { output.writer.cell(id) }
        output.writer.cell(at)
        output.writer.cell(value.text)
        output.writer.endRow()
        output.check(value.text, "\(path()).value")
        if !point.extra.isEmpty { output.lose(point, besides: ["at", "value"], at: path()) }
    }

    // MARK: Datastreams

    static func write(_ datastream: Datastream) -> EncodedDocument {
        var output = CSVOutput(points: datastream.datapoints?.count ?? 0)
        if datastream.id != nil { output.lose("id") }
        write(datastream, &output, [], at: "")
        return output.document
    }

    static func write(_ datastreams: [Datastream]) -> EncodedDocument {
        var output = CSVOutput()
        write(datastreams, &output, [], at: "")
        return output.document
    }

    static func write(_ feed: Feed) -> EncodedDocument {
        var output = CSVOutput()
        output.lose(feed, besides: ["datastreams"], at: "")
        write(feed.datastreams ?? [], &output, [], at: "datastreams")
        return output.document
    }

    static func write(_ page: FeedPage) -> EncodedDocument {
        var output = CSVOutput()
        output.lose(page, besides: ["results"], at: "")
        for (index, feed) in page.results.enumerated() {
            let path = "results[\(index)]"
            guard let id = feed.id, !id.text.isEmpty else {
                output.lose(path, "a feed without an id has no rows")
                continue
            }
            output.lose(feed, besides: ["id", "datastreams"], at: path)
            output.check(id.text, "\(path).id")
            write(feed.datastreams ?? [], &output, [id.text], at: "\(path).datastreams")
        }
        return output.document
    }

    private static func write(
        _ datastreams: [Datastream],
        _ output: inout CSVOutput,
        _ ids: [String],
        at path: String
    ) {
        var seen: Set<String> = []
        for (index, datastream) in datastreams.enumerated() {
            let path = "\(path)[\(index)]"
            guard let id = datastream.id, !id.isEmpty else {
                output.lose(path, "a datastream without an id has no rows")
                continue
            }
            if !seen.insert(id).inserted { output.lose(path, "rows with the same id become one datastream") }
            output.check(id, "\(path).id")
            write(datastream, &output, ids + [id], at: path)
        }
        if datastreams.isEmpty { output.lose(path, "a document without rows can't be read") }
    }

    /// Writes the rows of a datastream's points. Without points it writes the row of the current value.
    private static func write(_ stream: Datastream, _ output: inout CSVOutput, _ ids: [String], at path: String) {
        func name(_ member: String) -> String { path.isEmpty ? member : "\(path).\(member)" }
        let points = stream.datapoints ?? []
        let hasPoints = !points.isEmpty
        output.lose(stream, besides: ["id", "datapoints", "current_value", "at"], at: path)
        if hasPoints {
            if stream.currentValue != nil {
                output.lose(name("current_value"), "a datastream with datapoints has only rows of datapoints")
            }
            if stream.at != nil { output.lose(name("at"), "a datastream with datapoints has only rows of datapoints") }
            if points.count == 1 { output.lose(name("datapoints"), "a single row is read as the current value") }
            for index in points.indices { write(points[index], &output, ids, at: "\(name("datapoints"))[\(index)]") }
        } else if let value = stream.currentValue {
            for id in ids { output.writer.cell(id) }
            if !ids.isEmpty || stream.at != nil { output.writer.cell(stream.at) }
            output.writer.cell(value.text, isAlone: ids.isEmpty && stream.at == nil)
            output.writer.endRow()
            output.check(value.text, name("current_value"))
            if stream.datapoints != nil { output.lose(name("datapoints")) }
        } else {
            output.lose(path, "a datastream without a value has no row")
        }
    }
}
