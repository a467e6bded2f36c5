internal import HeliumServerKit

/// The paging parameters of a request (Docs/Protocols/AppNet.md §1.6).
struct PageRequest: Hashable, Sendable {
    /// The exclusive bounds of pagination ids.
    var since: Int64?
    var before: Int64?
    /// The maximum number of items; 0 to 200.
    var count = 20
    /// Whether the items closest above ``since`` are requested, not the newest.
    var isForward = false

    init() {}

    /// Reads the parameters of a query.
    ///
    /// - Parameter marker: The stored marker of the stream, for the special ids.
    /// - Throws: ``AppNetFailure`` with 400 for a bound that is neither a number nor a special id of a stream with a
    ///   marker.
    init(_ query: FormFields, marker: MarkerBounds) throws(AppNetFailure) {
        since = try Self.bound("since_id", query, marker, inclusive: -1)
        before = try Self.bound("before_id", query, marker, inclusive: 1)
        guard let number = try query.integer("count") else { return }
        isForward = number < 0
        count = Int(min(number.magnitude, 200))
    }

    /// The values of a stream's special ids.
    enum MarkerBounds: Hashable, Sendable {
        /// A stream without a marker. Special ids are invalid.
        case unsupported
        /// A stream whose marker is not set. Special ids do not restrict the page.
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
        // The range is far from the limits of the type, so that sums cannot overflow.
        if let number = Int64(text), 0...(1 << 53) ~= number { return number }
        let kinds = ["last_read", "marker", "last_read_inclusive", "marker_inclusive"]
        try require(kinds.contains(text) && marker != .unsupported, "\(name) is not a valid id.")
        guard case .set(let item, let lastRead) = marker else { return nil }
        return (text.hasPrefix("marker") ? item : lastRead) + (text.hasSuffix("_inclusive") ? inclusive : 0)
    }
}

/// A part of a list that is fetched at once.
struct PageWindow: Hashable, Sendable {
    var since: Int64?
    var before: Int64?
    var isAscending: Bool
    var limit: Int
    /// The number of items at the beginning that are left out.
    var offset = 0

    /// Returns the end of a statement, after its last condition: bounds, order and limit by a column of whole numbers.
    /// The column is a literal in the source.
    func sql(_ column: StaticString) -> String {
        var sql = ""
        if let since { sql += " AND \(column) > \(since)" }
        if let before { sql += " AND \(column) < \(before)" }
        return sql
            + " ORDER BY \(column) \(isAscending ? "ASC" : "DESC") LIMIT \(limit)\(offset == 0 ? "" : " OFFSET \(offset)")"
    }
}
