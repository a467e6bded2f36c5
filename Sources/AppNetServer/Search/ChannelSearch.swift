internal import HeliumJSON
internal import HeliumServerKit

/// The criteria of a search for channels (Docs/Protocols/AppNet.md §2.12).
struct ChannelSearch: Sendable {
    enum Order: String, Sendable {
        case popularity, id, activity
    }

    var order = Order.popularity
    private var query: SearchQuery?
    private var tags: Set<String>?
    private var types: Set<String>?
    private var creator: Int64?
    private var isPrivate: Bool?
    private var isPublic: Bool?

    /// - Throws: ``AppNetFailure`` with 400 for an invalid value.
    init(_ parameters: FormFields) throws(AppNetFailure) {
        if let text = parameters["order"] {
            let order = try require(Order(rawValue: text), or: .badRequest("order must be popularity, id or activity."))
            self.order = order
        }
        if let text = parameters["q"] { query = try SearchQuery(text, findsEntities: false) }
        tags = parameters.words("tags")
        // pnut's parameter is a list of types. Types do not contain commas.
        types = parameters.list("type").map(Set.init)
        // A text that is not an id matches no creator.
        creator = parameters["creator_id"].map { Int64($0) ?? -1 }
        isPrivate = parameters.flag("is_private")
        isPublic = parameters.flag("is_public")
    }

    /// The expression for the index; `nil` if the search contains no words.
    var expression: SearchExpression? { query.flatMap { SearchExpression($0.alternatives) } }

    /// Whether the search is restricted to some types of channels.
    var hasTypes: Bool { types != nil }

    func matches(_ channel: AppNetChannel) -> Bool {
        guard types?.contains(channel.type) ?? true, creator ?? channel.owner == channel.owner,
            isPublic ?? channel.isPublic == channel.isPublic
        else { return false }
        if let isPrivate, isPrivate == channel.isReadableByAnyUser { return false }
        let values = channel.annotations.compactMap { $0["value"] }
        if let tags {
            let known = values.flatMap { $0["tags"]?.arrayValue ?? [] }.compactMap { $0.stringValue?.lowercased() }
            guard tags.isSubset(of: known) else { return false }
        }
        guard let query else { return true }
        return query.matches(SearchDocument(text: Self.text(of: channel.annotations)))
    }

    /// Returns all texts in the values of annotations.
    static func text(of annotations: [JSONValue]) -> String {
        annotations.compactMap { $0["value"] }.flatMap(texts).joined(separator: " ")
    }

    /// Returns all texts in a value.
    private static func texts(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(texts)
        case .object(let members): members.flatMap { texts($0.value) }
        default: []
        }
    }
}
