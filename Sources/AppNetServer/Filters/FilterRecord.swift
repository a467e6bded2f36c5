internal import HeliumJSON

/// A filter of app streams (Docs/Protocols/AppNet.md §2.11, §3.5).
struct FilterRecord: Hashable, Sendable {
    enum Policy: String, Hashable, Sendable {
        case includeAny = "include_any"
        case includeAll = "include_all"
        case excludeAny = "exclude_any"
        case excludeAll = "exclude_all"
    }

    static let maximumClauses = 100

    var id: Int64
    var owner: Int64
    var name: String?
    var policy: Policy
    var clauses: [FilterClause]

    /// Returns whether a message of an app stream passes. Only the clauses for its type are used. If there are none,
    /// the message passes filters that exclude, and no others. The API does not specify this case.
    func passes(_ subject: FilterSubject, type: String) throws -> Bool {
        let clauses = clauses.filter { $0.objectType == type }
        guard !clauses.isEmpty else { return policy == .excludeAny || policy == .excludeAll }
        switch policy {
        case .includeAny: return try clauses.contains { try $0.matches(subject) }
        case .includeAll: return try clauses.allSatisfy { try $0.matches(subject) }
        case .excludeAny: return try !clauses.contains { try $0.matches(subject) }
        case .excludeAll: return try !clauses.allSatisfy { try $0.matches(subject) }
        }
    }
}

extension FilterRecord {
    /// Creates a filter from a client's document. Read-only members are ignored.
    ///
    /// - Throws: ``AppNetFailure`` with 400 and the reason if the document is invalid.
    init(id: Int64, owner: Int64, _ document: JSONValue) throws(AppNetFailure) {
        var name: String?
        switch document["name"] {
        case nil, .null: break
        case .string(let text) where text.unicodeScalars.count <= 256: name = text
        default: throw .badRequest("name must be a text of at most 256 characters.")
        }
        guard case .string(let word)? = document["match_policy"], let policy = Policy(rawValue: word) else {
            throw .badRequest("match_policy must be one of include_any, include_all, exclude_any, exclude_all.")
        }
        guard case .array(let elements)? = document["clauses"], 1...Self.maximumClauses ~= elements.count else {
            throw .badRequest("clauses must be a list of 1 to \(Self.maximumClauses).")
        }
        let clauses = try elements.map(FilterClause.init(_:))
        self.init(id: id, owner: owner, name: name, policy: policy, clauses: clauses)
    }
}
