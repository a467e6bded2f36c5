internal import Foundation
internal import HeliumCore

// Feeds in CSV. Version 2 has rows `id,value` or `id,at,value`. Version 1 has one row of values.

/// The rows of a feed's datastreams, grouped by id in the order in which the ids first appear.
private struct StreamGroups {
    private var groups: [RowGroup] = []
    private var indexes: [String: Int] = [:]
    /// The bytes of the previous row's id and the index of its group. Most rows belong to the same group as the
    /// previous one.
    private var last: (id: [UInt8], index: Int)?

    mutating func append(
        _ row: CSVScanner,
        _ id: CSVScanner.Cell,
        _ at: CSVScanner.Cell?,
        _ value: CSVScanner.Cell
    ) throws(CosmDocumentError) {
        let stamp: Timestamp? = if let at { try row.stamp(at) } else { nil }
        let index = try index(row, id)
        groups[index].append(stamp, try row.value(value), line: row.line)
    }

    private mutating func index(_ row: CSVScanner, _ cell: CSVScanner.Cell) throws(CosmDocumentError) -> Int {
        let raw = row.raw(cell)
        if let last, last.id.elementsEqual(raw) { return last.index }
        let id = try row.text(cell)
        if id.isEmpty { throw row.fault("a row has no datastream id") }
        let index = indexes[id] ?? groups.count
        if index == groups.count {
            groups.append(RowGroup(id: id))
            indexes[id] = index
        }
        last = (Array(raw), index)
        return index
    }

    consuming func datastreams() throws(CosmDocumentError) -> [Datastream] {
        var streams: [Datastream] = []
        streams.reserveCapacity(groups.count)
        for group in groups { streams.append(try group.datastream()) }
        return streams
    }
}

extension CSVFormat {
    static func readFeed(_ data: Data, _ dialect: CosmDialect) throws(CosmDocumentError) -> Feed {
        Feed(datastreams: try readDatastreams(data, dialect))
    }

    static func readDatastreams(_ data: Data, _ dialect: CosmDialect) throws(CosmDocumentError) -> [Datastream] {
        try rows(data) { rows throws(CosmDocumentError) in
            guard try rows.next() else { return [] }
            if dialect == .version1 { return try positional(&rows) }
            if dialect == .guessed { return try guessed(&rows) }
            return try grouped(&rows)
        }
    }

    private static func grouped(_ rows: inout CSVRows) throws(CosmDocumentError) -> [Datastream] {
        var groups = StreamGroups()
        repeat {
            let row = rows.scanner
            switch row.cells.count {
            case 2: try groups.append(row, row.cells[0], nil, row.cells[1])
            case 3: try groups.append(row, row.cells[0], row.cells[1], row.cells[2])
            default: throw row.fault("\(count(row)), expected `id,value` or `id,at,value`")
            }
        } while try rows.next()
        return try groups.datastreams()
    }

    /// Reads version 1: the cells of the only row are the current values of the datastreams 0, 1, 2 and so on.
    private static func positional(_ rows: inout CSVRows) throws(CosmDocumentError) -> [Datastream] {
        let row = rows.scanner
        var streams: [Datastream] = []
        for (index, cell) in row.cells.enumerated() {
            streams.append(Datastream(id: index.description, currentValue: try row.value(cell)))
        }
        try refuseMore(&rows)
        return streams
    }

    private static func guessed(_ rows: inout CSVRows) throws(CosmDocumentError) -> [Datastream] {
        var ahead = rows
        if try ahead.next() { return try grouped(&rows) }
        guard rows.scanner.cells.count != 2 else {
            throw rows.scanner.fault("one row with two cells is valid in both versions: give the version")
        }
        return try positional(&rows)
    }

    /// Reads a list of feeds: rows `feed_id,id,at,value` (Docs/Protocols/Cosm.md §3.1).
    static func readPage(_ data: Data) throws(CosmDocumentError) -> FeedPage {
        try rows(data) { rows throws(CosmDocumentError) in
            var feeds: [Feed.ID] = []
            var groups: [Feed.ID: StreamGroups] = [:]
            var faults: [Feed.ID: CosmDocumentError] = [:]
            while try rows.next() {
                let row = rows.scanner
                guard row.cells.count == 4 else {
                    throw row.fault("\(count(row)), expected `feed_id,id,at,value`")
                }
                let id = Feed.ID(try row.text(row.cells[0]))
                if id.text.isEmpty { throw row.fault("a row has no feed id") }
                if groups[id] == nil { feeds.append(id) }
                do throws(CosmDocumentError) {
                    try groups[id, default: StreamGroups()].append(row, row.cells[1], row.cells[2], row.cells[3])
                } catch {
                    faults[id] = faults[id] ?? error
                }
            }
            var page = FeedPage()
            for id in feeds {
                do throws(CosmDocumentError) {
                    if let fault = faults[id] { throw fault }
                    page.results.append(Feed(id: id, datastreams: try groups[id]?.datastreams()))
                } catch {
                    faults[id] = error
                    page.unreadable.add(id: id.text, Feed.self, error)
                }
            }
            if page.results.isEmpty, let fault = feeds.first.flatMap({ faults[$0] }) { throw fault }
            return page
        }
    }
}
