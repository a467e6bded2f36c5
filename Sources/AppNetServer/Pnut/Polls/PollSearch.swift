internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The criteria of a search for polls (Docs/Protocols/AppNet.md §6.2).
struct PollSearch: Sendable {
    private var earliest: Int64?
    private var latest: Int64?
    private var creator: Int64?
    private var flags: (isAnonymous: Bool?, isClosed: Bool?, isPublic: Bool?)
    private var rawTypes: Set<String>?
    private var query: SearchQuery?

    /// - Throws: ``AppNetFailure`` with 400 for an invalid value.
    init(_ parameters: FormFields) throws(AppNetFailure) {
        try require(["id", "closed_at"].contains(parameters["order"] ?? "id"), "order must be id or closed_at.")
        earliest = try parameters.date("created_after")
        latest = try parameters.date("created_before")
        // A text that is not an id matches no creator.
        creator = parameters["creator_id"].map { Int64($0) ?? -1 }
        flags = (parameters.flag("is_anonymous"), parameters.flag("is_closed"), parameters.flag("is_public"))
        rawTypes = parameters.list("raw_types").map(Set.init)
        if let text = parameters["q"] { query = try SearchQuery(text, findsEntities: false) }
    }

    /// The expression for the index; `nil` if the search contains no words.
    var expression: SearchExpression? { query.flatMap { SearchExpression($0.alternatives) } }

    /// Returns the condition on the columns of polls. Further criteria are those of ``matches(_:)``.
    func condition(now: Int64) -> (sql: String, arguments: StatementArguments) {
        var conditions = ["1 = 1"]
        var arguments: StatementArguments = []
        func add(_ condition: String, _ value: (some DatabaseValueConvertible)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        add("created >= ?", earliest)
        add("created <= ?", latest)
        add("user = ?", creator)
        add("is_anonymous = ?", flags.isAnonymous)
        add("is_public = ?", flags.isPublic)
        if let isClosed = flags.isClosed { add(isClosed ? "closes <= ?" : "closes > ?", now) }
        return (conditions.joined(separator: " AND "), arguments)
    }

    /// Returns whether a poll that meets ``condition(now:)`` matches.
    func matches(_ poll: PollRecord) -> Bool {
        if let rawTypes {
            let types = Set(poll.annotations.compactMap { $0["type"]?.stringValue })
            guard !rawTypes.isDisjoint(with: types) else { return false }
        }
        return query?.matches(SearchDocument(text: poll.prompt)) ?? true
    }
}
