/// Documents as CSV without a header row (§12).
struct CSVOutput {
    let zone: OutputZone

    /// - Throws: ``CosmFailure`` with 406 for documents that are no values.
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
        case .datapoint(let point): rows = [[point.value]]
        case .key, .keys, .trigger, .triggers, .user, .users: throw .notAcceptable
        }
        return rows.map { $0.map(Self.cell).joined(separator: ",") }.joined(separator: "\n")
    }

    /// `at,value`: of each point where there are some, else of the current value; none of a stream without either.
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
