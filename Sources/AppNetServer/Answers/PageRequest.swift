internal import HeliumServerKit

/// What a paginated call asks for (§1.6).
struct PageRequest: Hashable, Sendable {
    /// Exclusive bounds of pagination ids.
    var since: Int64?
    var before: Int64?
    /// How many items at most; 0 to 200.
    var count = 20
    /// Whether the items closest above ``since`` are meant, and not the newest.
    var isForward = false

    init() {}

    /// Reads the parameters of a query.
    ///
    /// - Parameter marker: the stored marker of the stream, for the special ids; nil where the stream has none
    /// - Throws: ``AppNetFailure`` with 400 for what is neither a number nor a special id of a stream with a marker.
    init(_ query: FormFields, marker: MarkerBounds) throws(AppNetFailure) {
        since = try Self.bound("since_id", query, marker, inclusive: -1)
        before = try Self.bound("before_id", query, marker, inclusive: 1)
        guard let number = try query.integer("count") else { return }
        isForward = number < 0
        count = Int(min(number.magnitude, 200))
    }

    /// What the special ids of a stream mean.
    enum MarkerBounds: Hashable, Sendable {
        /// A stream without a marker: special ids are refused.
        case unsupported
        /// A stream whose marker is not set: special ids do not bound anything.
        case unset
        case set(item: Int64, lastRead: Int64)
    }

    private static func bound(
        _ name: String,
        _ query: FormFields,
        _ marker: MarkerBounds,
        inclusive: Int64
    ) throws(AppNetFailure) -> Int64? {
        guard let text = query[name] else { return nil }
        // Far from the ends of the type, so that sums of it cannot overflow.
        if let number = Int64(text), 0...(1 << 53) ~= number { return number }
        let kinds = ["last_read", "marker", "last_read_inclusive", "marker_inclusive"]
        try require(kinds.contains(text) && marker != .unsupported, "\(name) is not a valid id.")
        guard case .set(let item, let lastRead) = marker else { return nil }
        return (text.hasPrefix("marker") ? item : lastRead) + (text.hasSuffix("_inclusive") ? inclusive : 0)
    }
}

/// A stretch of a list that is fetched at once.
struct PageWindow: Hashable, Sendable {
    var since: Int64?
    var before: Int64?
    var isAscending: Bool
    var limit: Int

    /// The end of a statement whose last condition stands before it: bounds, order and limit by a column of whole
    /// numbers. The column is spelt in this source.
    func sql(_ column: StaticString) -> String {
        var sql = ""
        if let since { sql += " AND \(column) > \(since)" }
        if let before { sql += " AND \(column) < \(before)" }
        return sql + " ORDER BY \(column) \(isAscending ? "ASC" : "DESC") LIMIT \(limit)"
    }
}
