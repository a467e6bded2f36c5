internal import Foundation

/// Writes EEML 0.5.1 (§13), its elements in the order that the service has.
struct EEMLWriter {
    private var writer = MarkupWriter()

    static func write(_ feed: Feed) throws -> EncodedDocument {
        var eeml = EEMLWriter()
        eeml.begin()
        eeml.write(environment: feed)
        return try LossFinder.document(eeml.end(), of: feed)
    }

    static func write(_ page: FeedPage) throws -> EncodedDocument {
        var eeml = EEMLWriter()
        eeml.begin(isSearch: true)
        eeml.writer.leaf("opensearch:totalResults", page.totalResults?.description)
        eeml.writer.leaf("opensearch:startIndex", page.startIndex?.description)
        eeml.writer.leaf("opensearch:itemsPerPage", page.itemsPerPage?.description)
        for feed in page.results { eeml.write(environment: feed) }
        return try LossFinder.document(eeml.end(), of: page)
    }

    static func write(_ datastream: Datastream) throws -> EncodedDocument {
        try LossFinder.document(document([datastream]), of: datastream)
    }

    static func write(_ datastreams: [Datastream]) throws -> EncodedDocument {
        try LossFinder.document(document(datastreams), of: datastreams)
    }

    static func write(_ points: [Datapoint]) throws -> EncodedDocument {
        try LossFinder.document(document([Datastream(datapoints: points)], keepsPoints: true), of: points)
    }

    static func write(_ point: Datapoint) throws -> EncodedDocument {
        try LossFinder.document(document([Datastream(datapoints: [point])], keepsPoints: true), of: point)
    }

    // MARK: Elements

    private static func document(_ streams: [Datastream], keepsPoints: Bool = false) -> Data {
        var eeml = EEMLWriter()
        eeml.begin()
        eeml.writer.open("environment")
        for stream in streams { eeml.write(data: stream, keepsPoints: keepsPoints) }
        eeml.writer.close("environment")
        return eeml.end()
    }

    private mutating func begin(isSearch: Bool = false) {
        let namespace = "http://www.eeml.org/xsd/0.5.1"
        writer.open(
            "eeml",
            [
                ("xmlns", namespace), ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
                ("xmlns:opensearch", isSearch ? "http://a9.com/-/spec/opensearch/1.1/" : nil), ("version", "0.5.1"),
                ("xsi:schemaLocation", "\(namespace) \(namespace)/0.5.1.xsd"),
            ]
        )
    }

    private mutating func end() -> Data {
        writer.close("eeml")
        return writer.data
    }

    private mutating func write(environment feed: Feed) {
        writer.open(
            "environment",
            [
                ("updated", feed.updated?.description), ("created", feed.created?.description),
                ("id", feed.id?.text), ("creator", feed.creator),
            ]
        )
        writer.leaf("title", feed.title)
        writer.leaf("feed", feed.feedURL)
        writer.leaf("auto_feed_url", feed.autoFeedURL)
        writer.leaf("status", feed.status?.rawValue)
        writer.leaf("description", feed.description)
        writer.leaf("icon", feed.icon)
        writer.leaf("website", feed.website)
        writer.leaf("email", feed.email)
        writer.leaf("product_id", feed.productID)
        writer.leaf("device_serial", feed.deviceSerial)
        writer.leaf("private", feed.isPrivate?.description)
        for tag in feed.tags ?? [] { writer.leaf("tag", tag) }
        if let location = feed.location { write(location) }
        if let login = feed.user?.login, !login.isEmpty {
            writer.open("user")
            writer.leaf("login", login)
            writer.close("user")
        }
        for stream in feed.datastreams ?? [] { write(data: stream) }
        writer.close("environment")
    }

    private mutating func write(_ location: Location) {
        writer.open(
            "location",
            [
                ("domain", location.domain?.rawValue), ("exposure", location.exposure?.rawValue),
                ("disposition", location.disposition?.rawValue),
            ]
        )
        writer.leaf("name", location.name)
        writer.leaf("lat", location.latitude?.description)
        writer.leaf("lon", location.longitude?.description)
        writer.leaf("ele", location.elevation?.text)
        writer.close("location")
    }

    private mutating func write(data stream: Datastream, keepsPoints: Bool = false) {
        writer.open("data", [("id", stream.id)])
        for tag in stream.tags ?? [] { writer.leaf("tag", tag) }
        writer.leaf("current_value", stream.currentValue?.text, [("at", stream.at?.description)])
        writer.leaf("max_value", stream.maximumValue?.text)
        writer.leaf("min_value", stream.minimumValue?.text)
        if let unit = stream.unit {
            let attributes = [("type", unit.type?.rawValue), ("symbol", unit.symbol)]
            let isKept = attributes.contains { $0.1?.isEmpty == false }
            writer.leaf("unit", unit.label, attributes, isKept: isKept)
        }
        let points = stream.datapoints ?? []
        if !points.isEmpty || keepsPoints {
            writer.open("datapoints", [("function", stream.datapointsFunction?.rawValue)])
            for point in points {
                writer.leaf("value", point.value?.text, [("at", point.at?.description)], isKept: true)
            }
            writer.close("datapoints")
        }
        writer.close("data")
    }
}
