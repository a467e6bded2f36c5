internal import HeliumJSON
internal import HeliumServerKit

/// The body of a request as it was received.
enum CosmBody: Sendable {
    /// Bytes in the request's format.
    case bytes([UInt8])
    /// Bytes in gzip or deflate.
    case compressed([UInt8])
    /// JSON from a frame, which is parsed with it.
    case json(JSONValue)

    static let none = Self.bytes([])

    /// The maximum size of a decompressed body, in bytes.
    static let maximumUnpackedBytes = 8 * 1024 * 1024
    /// The maximum ratio of a decompressed body to its compressed size. Readings in the formats of Cosm are compressed
    /// to a tenth, or to a fiftieth if they are all equal.
    static let maximumRatio = 100
    /// The size up to which a decompressed body may have any ratio, in bytes.
    static let freeUnpackedBytes = 64 * 1024

    /// Returns the bytes that a compressed body of a length may have when decompressed.
    static func unpackedBytes(of count: Int) -> Int {
        min(maximumUnpackedBytes, max(freeUnpackedBytes, min(count, maximumUnpackedBytes) * maximumRatio))
    }
}

/// Parses and checks the body of a request. Each method returns a value within fixed bounds.
///
/// It decompresses and parses for as long as the body is long, so it is used outside of transactions, and after the
/// rights of the request's key were checked.
struct CosmContent: Sendable {
    let body: CosmBody
    let format: DocumentFormat

    /// The maximum number of points of a batch (Docs/Protocols/Cosm.md §6).
    static let maximumBatch = 500
    /// The maximum number of datastreams of a request, and of points and current values in all of them. The writer
    /// stores so many within a few hundredths of a second.
    static let maximumDatastreams = 1_000
    static let maximumValues = 5_000

    func newFeed() throws(CosmFailure) -> FeedInput {
        let input = try read(json: JSONInput.feed, xml: XMLInput.feed)
        try check(input, isNew: true)
        return input
    }

    func feed() throws(CosmFailure) -> FeedInput {
        let input = try read(json: JSONInput.feed, xml: XMLInput.feed, csv: CSVInput.feed)
        try check(input, isNew: false)
        return input
    }

    func newDatastreams() throws(CosmFailure) -> [DatastreamInput] {
        let inputs = try read(
            json: JSONInput.datastreamsToCreate,
            xml: XMLInput.datastreamsToCreate,
            csv: { rows throws(CosmFailure) in try CSVInput.feed(rows).datastreams }
        )
        guard !inputs.isEmpty else { throw .invalid("Datastreams can't be blank") }
        try check(FeedInput(datastreams: inputs), isNew: false)
        return inputs
    }

    /// Returns the content for a datastream that the path names. The body may repeat its id.
    func datastream(_ id: String) throws(CosmFailure) -> DatastreamInput {
        var input = try read(json: JSONInput.datastream, xml: XMLInput.datastream, csv: CSVInput.datastream)
        input.id = id
        try Self.checkSize([input])
        try require(FeedRules.violations(of: input))
        return input
    }

    func datapoints() throws(CosmFailure) -> [Datapoint] {
        let points = try read(json: JSONInput.datapoints, xml: XMLInput.datapoints, csv: CSVInput.datapoints)
        guard points.count <= Self.maximumBatch else {
            throw .badParameter("More than \(Self.maximumBatch) datapoints in one request")
        }
        try require(FeedRules.violations(of: points))
        return points
    }

    func datapoint(at instant: ServerInstant) throws(CosmFailure) -> Datapoint {
        let value = try read(json: JSONInput.value, xml: XMLInput.value, csv: CSVInput.value)
        let point = Datapoint(at: instant, value: value)
        try require(FeedRules.violations(of: [point]))
        return point
    }

    func key() throws(CosmFailure) -> KeyInput {
        try read(
            json: KeyInput.read,
            xml: { node throws(CosmFailure) in try KeyInput.read(XMLInput.key(node)) }
        )
    }

    func trigger() throws(CosmFailure) -> TriggerInput {
        try read(
            json: TriggerInput.read,
            xml: { node throws(CosmFailure) in try TriggerInput.read(XMLInput.trigger(node)) }
        )
    }

    func user() throws(CosmFailure) -> UserInput {
        try read(
            json: UserInput.read,
            xml: { node throws(CosmFailure) in try UserInput.read(XMLInput.user(node)) }
        )
    }

    private func check(_ input: FeedInput, isNew: Bool) throws(CosmFailure) {
        try Self.checkSize(input.datastreams)
        try require(FeedRules.violations(of: input, isNew: isNew))
    }

    private static func checkSize(_ streams: [DatastreamInput]) throws(CosmFailure) {
        guard streams.count <= maximumDatastreams else {
            throw .badParameter("More than \(maximumDatastreams) datastreams in one request")
        }
        let values = streams.reduce(0) { $0 + $1.datapoints.count + ($1.currentValue.newValue == nil ? 0 : 1) }
        guard values <= maximumValues else {
            throw .badParameter("More than \(maximumValues) values in one request")
        }
    }

    /// Reads the body with the reader of its format.
    ///
    /// - Throws: ``CosmFailure`` with 400, or 406 if the format has no reader.
    private func read<Value>(
        json: (JSONValue) throws(CosmFailure) -> Value,
        xml: ((XMLNode) throws(CosmFailure) -> Value)? = nil,
        csv: (([[String]]) throws(CosmFailure) -> Value)? = nil
    ) throws(CosmFailure) -> Value {
        let bytes: [UInt8]
        switch body {
        case .json(let value): return try json(value)
        case .bytes(let plain): bytes = plain
        case .compressed(let packed):
            do {
                bytes = try ContentCoding.inflated(packed, ceiling: CosmBody.unpackedBytes(of: packed.count))
            } catch {
                throw .badParameter("the body cannot be decompressed, or is too long for its compressed size")
            }
        }
        switch format {
        case .json: return try json(JSONFields.parse(bytes))
        case .xml:
            guard let xml else { throw .notAcceptable }
            return try xml(XMLNode.parse(bytes))
        case .csv:
            guard let csv else { throw .notAcceptable }
            return try csv(CSVRows.parse(bytes))
        case .png: throw .notAcceptable
        }
    }

    /// - Throws: ``CosmFailure`` with 422 and all messages, if there are any.
    private func require(_ violations: [String]) throws(CosmFailure) {
        if !violations.isEmpty { throw .invalid(violations) }
    }
}
