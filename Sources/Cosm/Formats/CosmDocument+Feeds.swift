package import Foundation

// The formats of feeds, datastreams and datapoints: JSON, CSV and XML.

extension Feed: CosmDocument, CosmValue {
    /// Reads a feed.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    package static func readValue(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<
        Feed
    > {
        switch format {
        case .json: try JSONFormat.read(Feed.self, data, dialect)
        case .csv: ReadDocument(value: try CSVFormat.readFeed(data, dialect))
        case .xml: try EEMLReader.feed(data, dialect)
        }
    }

    /// Writes the feed.
    ///
    /// - Throws: `EncodingError` for coordinates that are not finite.
    package func encodedValue(as format: CosmFormat) throws -> EncodedDocument {
        try encoded { feed in
            switch format {
            case .json: try JSONFormat.write(feed)
            case .csv: CSVFormat.write(feed)
            case .xml: try EEMLWriter.write(feed)
            }
        }
    }
}

extension FeedPage: CosmDocument, CosmValue {
    /// Reads a page.
    ///
    /// The document is the envelope of a list. In JSON it can also be an array of feeds. In CSV it has rows of
    /// `feed_id,id,at,value`.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    package static func readValue(
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
    /// - Throws: `EncodingError` for coordinates that are not finite.
    package func encodedValue(as format: CosmFormat) throws -> EncodedDocument {
        try encoded { page in
            switch format {
            case .json: try JSONFormat.write(page)
            case .csv: CSVFormat.write(page)
            case .xml: try EEMLWriter.write(page)
            }
        }
    }
}

extension Datastream: CosmDocument, CosmListElement {
    /// Reads a datastream.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    package static func readValue(
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
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    package static func readList(
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

    /// Writes the datastream. CSV does not include its id.
    package func encodedValue(as format: CosmFormat) throws -> EncodedDocument {
        try encoded { datastream in
            switch format {
            case .json: try JSONFormat.write(datastream)
            case .csv: CSVFormat.write(datastream)
            case .xml: try EEMLWriter.write(datastream)
            }
        }
    }

    /// Writes datastreams in the form of a feed document.
    package static func encodedList(_ list: [Datastream], as format: CosmFormat) throws -> EncodedDocument {
        try list.encoded { list in
            switch format {
            case .json: try JSONFormat.write(environmentOf: list)
            case .csv: CSVFormat.write(list)
            case .xml: try EEMLWriter.write(list)
            }
        }
    }
}

extension Datapoint: CosmDocument, CosmListElement {
    /// Reads a datapoint. CSV has its value only.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    package static func readValue(
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
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    package static func readList(
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

    /// Writes the datapoint. CSV has its value only.
    package func encodedValue(as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(self)
        case .csv: CSVFormat.write(self)
        case .xml: try EEMLWriter.write(self)
        }
    }

    /// Writes datapoints in the form of a batch insert.
    package static func encodedList(_ list: [Datapoint], as format: CosmFormat) throws -> EncodedDocument {
        switch format {
        case .json: try JSONFormat.write(list, in: listWrapper)
        case .csv: CSVFormat.write(list)
        case .xml: try EEMLWriter.write(list)
        }
    }
}
