internal import HeliumCore

/// What a read of a feed or datastream gives besides its present state (§3.2, §4).
public struct ReadOptions: Hashable, Sendable {
    /// Of a feed: only these datastreams, by id. Unknown ones are absent from the answer. Default: all.
    public var datastreams: [String]?

    /// Of a feed: whether it comes with its owner. The server's default: no.
    public var showsUser: Bool?

    /// Datapoints too. Default: none.
    public var history: HistoryQuery?

    /// The values as they were at that instant, those of streams without one left out. Default: as they are now.
    public var asOf: Timestamp?

    /// The zone of the stamps in the answer. Default: UTC.
    public var timeZone: CosmTimeZone?

    /// Parameters that are not here. They replace those that are.
    public var additional: [String: String]

    /// Options of these parts.
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
    /// The parameters.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidRequest``.
    func parameters(now: Timestamp) throws(CosmError) -> QueryParameters {
        if let id = datastreams?.first(where: { $0.isEmpty || $0.contains(",") }) {
            throw .rule("\"\(id)\" can't be asked for by its id")
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

/// A zone for the stamps of an answer (§2.2): an offset from UTC, or a name that the server knows.
public struct CosmTimeZone: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The zone as it is sent: `+3.5`, `Adelaide`.
    public let rawValue: String

    /// A zone as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The zone as it is sent.
    public var description: String { rawValue }

    /// Universal time, the default.
    public static let utc = Self(rawValue: "UTC")

    /// A zone that is hours ahead of UTC, or behind it: `3.5` is `+3.5`.
    public static func offset(hours: Double) -> Self {
        let isWhole = hours == hours.rounded() && abs(hours) < 100
        let number = isWhole ? Int(hours).description : hours.description
        return Self(rawValue: hours < 0 ? number : "+\(number)")
    }

    /// A zone by the name of a city.
    public static func city(_ name: String) -> Self { Self(rawValue: name) }
}
