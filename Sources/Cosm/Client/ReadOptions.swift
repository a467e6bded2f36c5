internal import HeliumCore
internal import HeliumJSON

/// The options of reading a feed or datastream (Docs/Protocols/Cosm.md §3.2, §4).
public struct ReadOptions: Hashable, Sendable {
    /// The ids of the datastreams to read with a feed. Unknown ids are absent from the response. Default: all
    /// datastreams.
    public var datastreams: [String]?

    /// Whether a feed includes its owner. The server's default: no.
    public var showsUser: Bool?

    /// The history query for datapoints. Default: `nil`, no datapoints.
    public var history: HistoryQuery?

    /// The instant whose values are read. Datastreams without a value at that time are left out. Default: the current
    /// values.
    public var asOf: Timestamp?

    /// The time zone of the timestamps in the response. Default: UTC.
    public var timeZone: CosmTimeZone?

    /// Additional parameters. They replace those of the same name.
    public var additional: [String: String]

    /// Creates options.
    public init(
        datastreams: [String]? = nil,
        showsUser: Bool? = nil,
        history: HistoryQuery? = nil,
        asOf: Timestamp? = nil,
        timeZone: CosmTimeZone? = nil,
        additional: [String: String] = [:]
    ) {
        self.datastreams = datastreams
        self.showsUser = showsUser
        self.history = history
        self.asOf = asOf
        self.timeZone = timeZone
        self.additional = additional
    }
}

extension ReadOptions {
    /// Returns the query parameters.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidRequest`` for an empty datastream id, one with a comma,
    ///   or an invalid history query.
    func parameters(now: Timestamp) throws(CosmError) -> QueryParameters {
        if let id = datastreams?.first(where: { $0.isEmpty || $0.containsBytes(of: ",") }) {
            throw .rule("\"\(id)\" can't be requested by its id")
        }
        var parameters = try history?.parameters(now: now) ?? [:]
        parameters["datastreams"] = datastreams.map { .single($0.joined(separator: ",")) }
        parameters["show_user"] = showsUser?.parameterValue
        parameters["time"] = asOf.map { .single($0.description) }
        parameters["timezone"] = timeZone.map { .single($0.rawValue) }
        parameters.merge(QueryParameters(additional))
        return parameters
    }
}

/// A time zone for the timestamps of a response (Docs/Protocols/Cosm.md §2.2): an offset from UTC, or a name that the
/// server knows.
public struct CosmTimeZone: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The zone in the form that is sent: `+3.5`, `Adelaide`.
    public let rawValue: String

    /// Creates a zone from the form that is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The zone in the form that is sent.
    public var description: String { rawValue }

    /// Universal time, the default.
    public static let utc = Self(rawValue: "UTC")

    /// Returns a zone with an offset in hours: `3.5` becomes `+3.5`. Zones behind UTC have a negative offset.
    public static func offset(hours: Double) -> Self {
        let isWhole = hours == hours.rounded() && abs(hours) < 100
        let number = isWhole ? Int(hours).description : hours.description
        return Self(rawValue: hours < 0 ? number : "+\(number)")
    }

    /// Returns a zone with the name of a city.
    public static func city(_ name: String) -> Self { Self(rawValue: name) }
}
