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

    func matches(_ poll: PollRecord, now: Int64) -> Bool {
        guard earliest ?? .min <= poll.created, poll.created <= latest ?? .max, creator ?? poll.user == poll.user,
            flags.isAnonymous ?? poll.isAnonymous == poll.isAnonymous, flags.isPublic ?? poll.isPublic == poll.isPublic,
            flags.isClosed.map({ $0 == (now >= poll.closes) }) ?? true
        else { return false }
        if let rawTypes {
            let types = Set(poll.annotations.compactMap { $0["type"]?.stringValue })
            guard !rawTypes.isDisjoint(with: types) else { return false }
        }
        return query?.matches(SearchDocument(text: poll.prompt)) ?? true
    }
}
