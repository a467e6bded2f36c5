/// Writes documents as CSV without a header row (Docs/Protocols/Cosm.md §12).
struct CSVOutput {
    let zone: OutputZone

    /// - Throws: ``CosmFailure`` with 406 for documents other than feeds, datastreams and datapoints.
    func text(of document: CosmDocument) throws(CosmFailure) -> String {
        var rows: [[String]] = []
        switch document {
        case .feed(let feed):
            for stream in feed.datastreams ?? [] { rows += self.rows(stream).map { [stream.stream.id] + $0 } }
        case .feeds(let list):
            for feed in list.feeds {
                for stream in feed.datastreams ?? [] {
                    rows += self.rows(stream).map { [String(feed.feed.id), stream.stream.id] + $0 }
                }
            }
        case .datastream(let stream, _): rows = self.rows(stream)
        case .datastreams(let streams, _):
            for stream in streams { rows += self.rows(stream).map { [stream.stream.id] + $0 } }
        case .datapoint(let point, _): rows = [[point.value]]
        case .key, .keys, .trigger, .triggers, .user, .users: throw .notAcceptable
        }
        return rows.map { $0.map(Self.cell).joined(separator: ",") }.joined(separator: "\n")
    }

    /// Returns rows `at,value`: one for each point, or one for the current value if there are no points. A datastream
    /// without either has no rows.
    private func rows(_ document: DatastreamDocument) -> [[String]] {
        if let points = document.points, !points.isEmpty { return points.map { [$0.at.text(zone), $0.value] } }
        guard let value = document.stream.currentValue else { return [] }
        return [[document.stream.at?.text(zone) ?? "", value]]
    }

    private static func cell(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
