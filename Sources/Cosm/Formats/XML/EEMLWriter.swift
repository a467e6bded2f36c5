internal import Foundation

/// Writes EEML 0.5.1 documents (Docs/Protocols/Cosm.md §13).
enum EEMLWriter {
    static func write(_ feed: Feed) throws -> EncodedDocument {
        try LossFinder.document(document { $0.write(feed, as: "environment") }, of: feed)
    }

    static func write(_ page: FeedPage) throws -> EncodedDocument {
        try LossFinder.document(document(isSearch: true) { $0.writeElements(of: page) }, of: page)
    }

    static func write(_ datastream: Datastream) throws -> EncodedDocument {
        try LossFinder.document(document(of: [datastream]), of: datastream)
    }

    static func write(_ datastreams: [Datastream]) throws -> EncodedDocument {
        try LossFinder.document(document(of: datastreams), of: datastreams)
    }

    static func write(_ points: [Datapoint]) throws -> EncodedDocument {
        try LossFinder.document(document(of: points), of: points)
    }

    static func write(_ point: Datapoint) throws -> EncodedDocument {
        try LossFinder.document(document(of: [point]), of: point)
    }

    // MARK: Documents

    private static func document(of streams: [Datastream]) -> Data {
        document { writer in
            writer.open("environment")
            for stream in streams { writer.write(stream, as: "data") }
            writer.close("environment")
        }
    }

    private static func document(of points: [Datapoint]) -> Data {
        let parents = ["environment", "data", "datapoints"]
        return document { writer in
            for parent in parents { writer.open(parent) }
            for point in points { writer.write(point, as: "value") }
            for parent in parents.reversed() { writer.close(parent) }
        }
    }

    private static func document(isSearch: Bool = false, _ write: (inout MarkupWriter) -> Void) -> Data {
        var writer = MarkupWriter()
        let namespace = "http://www.eeml.org/xsd/0.5.1"
        writer.open(
            "eeml",
            [
                ("xmlns", namespace), ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
                ("xmlns:opensearch", isSearch ? "http://a9.com/-/spec/opensearch/1.1/" : nil), ("version", "0.5.1"),
                ("xsi:schemaLocation", "\(namespace) \(namespace)/0.5.1.xsd"),
            ]
        )
        write(&writer)
        writer.close("eeml")
        return writer.data
    }
}
