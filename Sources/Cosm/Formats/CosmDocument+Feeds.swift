public import Foundation

// Which format reads and writes what: feeds, datastreams and points come in all three.

extension Feed: CosmDocument {
    /// Reads a feed.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
    public static func read(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<Feed> {
        switch format {
        case .json: try JSONFormat.read(Feed.self, data, dialect)
        case .csv: ReadDocument(value: try CSVFormat.readFeed(data, dialect))
        case .xml: try EEMLReader.feed(data, dialect)
        }
    }

    /// Writes the feed.
    ///
    /// - Throws: `EncodingError` for coordinates that are no numbers.
    public func encoded(as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(self)
        case .csv: CSVFormat.write(self)
        case .xml: try EEMLWriter.write(self)
        }
    }
}

extension FeedPage: CosmDocument {
    /// Reads a page: the envelope, or in JSON a bare array of feeds; in CSV rows of `feed_id,id,at,value`.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
    public static func read(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<FeedPage> {
        switch format {
        case .json: try JSONFormat.readPage(data, dialect)
        case .csv: ReadDocument(value: try CSVFormat.readPage(data))
        case .xml: try EEMLReader.page(data, dialect)
        }
    }

    /// Writes the page.
    ///
    /// - Throws: `EncodingError` for coordinates that are no numbers.
    public func encoded(as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(self)
        case .csv: CSVFormat.write(self)
        case .xml: try EEMLWriter.write(self)
        }
    }
}

extension Datastream: CosmListElement {
    /// Reads a datastream.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
    public static func read(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<Datastream> {
        switch format {
        case .json: try JSONFormat.read(Datastream.self, data, dialect)
        case .csv: ReadDocument(value: try CSVFormat.readDatastream(data, dialect))
        case .xml: try EEMLReader.datastream(data, dialect)
        }
    }

    /// Reads datastreams.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
    public static func readList(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<[Datastream]> {
        switch format {
        case .json: try JSONFormat.readList(Datastream.self, data, dialect)
        case .csv: ReadDocument(value: try CSVFormat.readDatastreams(data, dialect))
        case .xml: try EEMLReader.datastreams(data, dialect)
        }
    }

    /// Writes the datastream, in CSV without its id.
    public func encoded(as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(self)
        case .csv: CSVFormat.write(self)
        case .xml: try EEMLWriter.write(self)
        }
    }

    /// Writes datastreams, as their feed would have them.
    public static func encodedList(_ list: [Datastream], as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(environmentOf: list)
        case .csv: CSVFormat.write(list)
        case .xml: try EEMLWriter.write(list)
        }
    }
}

extension Datapoint: CosmListElement {
    /// Reads a datapoint; CSV has its value only.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
    public static func read(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<Datapoint> {
        switch format {
        case .json: try JSONFormat.read(Datapoint.self, data, dialect)
        case .csv: ReadDocument(value: try CSVFormat.readDatapoint(data))
        case .xml: try EEMLReader.datapoint(data, dialect)
        }
    }

    /// Reads datapoints.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
    public static func readList(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<[Datapoint]> {
        switch format {
        case .json: try JSONFormat.readList(Datapoint.self, data, dialect)
        case .csv: ReadDocument(value: try CSVFormat.readDatapoints(data))
        case .xml: try EEMLReader.datapoints(data, dialect)
        }
    }

    /// Writes the datapoint, in CSV its value only.
    public func encoded(as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(self)
        case .csv: CSVFormat.write(self)
        case .xml: try EEMLWriter.write(self)
        }
    }

    /// Writes datapoints, as a batch to store.
    public static func encodedList(_ list: [Datapoint], as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(list, in: listWrapper)
        case .csv: CSVFormat.write(list)
        case .xml: try EEMLWriter.write(list)
        }
    }
}
