internal import HeliumJSON

/// Reads the JSON of requests: version 1.0.0 and the older 0.6-alpha (Docs/Protocols/Cosm.md §10, §13).
enum JSONInput {
    static func feed(_ body: JSONValue) throws(CosmFailure) -> FeedInput {
        let fields = try JSONFields.body(body)
        var input = FeedInput()
        input.title = try fields.textChange("title")
        input.description = try fields.textChange("description")
        input.website = try fields.textChange("website")
        input.email = try fields.textChange("email")
        input.icon = try fields.textChange("icon")
        input.tags = try fields.tags("tags")
        if let isPrivate = try fields.boolean("private") { input.isPrivate = .set(isPrivate) }
        if let location = try fields.fields("location") { input.location = try Self.location(location) }
        input.datastreams = try datastreams(fields) ?? []
        return input
    }

    private static func location(_ fields: JSONFields) throws(CosmFailure) -> LocationInput {
        LocationInput(
            name: try fields.textChange("name"),
            domain: try fields.textChange("domain"),
            exposure: try fields.textChange("exposure"),
            disposition: try fields.textChange("disposition"),
            latitude: try fields.numberChange("lat"),
            longitude: try fields.numberChange("lon"),
            elevation: try fields.textChange("ele")
        )
    }

    /// Returns the datastreams in the member `datastreams`; `nil` without that member.
    private static func datastreams(_ fields: JSONFields) throws(CosmFailure) -> [DatastreamInput]? {
        try fields.array("datastreams")?.map(datastream)
    }

    /// Returns the datastreams to create. The body is a feed with datastreams, or a single datastream
    /// (Docs/Protocols/Cosm.md §5).
    static func datastreamsToCreate(_ body: JSONValue) throws(CosmFailure) -> [DatastreamInput] {
        if let wrapped = try datastreams(try JSONFields.body(body)) { return wrapped }
        return [try datastream(body)]
    }

    static func datastream(_ body: JSONValue) throws(CosmFailure) -> DatastreamInput {
        let fields = try JSONFields.body(body)
        var input = DatastreamInput()
        input.id = try fields.text("id") ?? ""
        input.currentValue = try fields.textChange("current_value")
        input.at = try fields.stamp("at")
        input.minimum = try fields.numberChange("min_value")
        input.maximum = try fields.numberChange("max_value")
        input.tags = try fields.tags("tags")
        if let unit = try fields.fields("unit") {
            input.unit = UnitInput(
                label: try unit.textChange("label"),
                symbol: try unit.textChange("symbol"),
                type: try unit.textChange("type")
            )
        }
        if let points = try fields.array("datapoints") { input.datapoints = try points.map(datapoint) }
        if let values = fields.value("values") { try readOldValue(values, into: &input) }
        return input
    }

    /// Reads a value of version 0.6-alpha: the first entry of `values`, which may be an empty object instead of an
    /// array (Docs/Protocols/Cosm.md §13).
    private static func readOldValue(_ values: JSONValue, into input: inout DatastreamInput) throws(CosmFailure) {
        guard case .object(let first) = values.arrayValue?.first ?? values else { return }
        let fields = JSONFields(object: first)
        input.currentValue = try fields.textChange("value")
        input.at = try fields.stamp("recorded_at")
        input.minimum = try fields.numberChange("min_value")
        input.maximum = try fields.numberChange("max_value")
    }

    /// Returns the points of a batch (Docs/Protocols/Cosm.md §6).
    static func datapoints(_ body: JSONValue) throws(CosmFailure) -> [Datapoint] {
        guard let elements = try JSONFields.body(body).array("datapoints") else {
            throw .unreadable(.json, "datapoints is missing")
        }
        return try elements.map(datapoint)
    }

    private static func datapoint(_ element: JSONValue) throws(CosmFailure) -> Datapoint {
        let fields = try JSONFields.body(element)
        guard let at = try fields.stamp("at") else { throw .invalidStamp(.json) }
        guard let value = try fields.text("value") else { throw .unreadable(.json, "a datapoint has no value") }
        return Datapoint(at: at, value: value)
    }

    /// Returns the value in the body of a write to one point.
    static func value(_ body: JSONValue) throws(CosmFailure) -> String {
        guard let value = try JSONFields.body(body).text("value") else {
            throw .unreadable(.json, "the datapoint has no value")
        }
        return value
    }
}
