internal import HeliumJSON
internal import HeliumServerKit

/// The criteria of a search for posts or messages (Docs/Protocols/AppNet.md §2.12). An object must meet all of them.
struct SearchCriteria: Sendable {
    enum Order: String, Sendable {
        case id, score
    }

    var order = Order.id
    /// `query`, which finds hashtags and mentions, and `text`, which does not find them.
    private(set) var queries: [SearchQuery] = []
    private var filters: [@Sendable (SearchableObject) -> Bool] = []
    /// The tags and users in filters.
    private var entityTerms: [String?] = []

    /// Reads the parameters of a query.
    ///
    /// - Parameters:
    ///   - findsCrossposts: Whether the parameters for crossposts are accepted, as for posts.
    ///   - dialect: The dialect of the query, which determines whether dates are accepted.
    /// - Throws: ``AppNetFailure`` with 400 if there are no criteria, or if a value is invalid.
    init(_ parameters: FormFields, findsCrossposts: Bool, _ dialect: Dialect) throws(AppNetFailure) {
        if let text = parameters["order"] {
            guard let order = Order(rawValue: text) else { throw .badRequest("order must be id or score.") }
            self.order = order
        }
        try require(parameters["index"] ?? "complete" == "complete", "index must be complete.")
        for (name, findsEntities) in [("query", true), ("text", false)] {
            guard let text = parameters[name] else { continue }
            queries.append(try SearchQuery(text, findsEntities: findsEntities))
        }
        addEntityFilters(parameters)
        addAnnotationFilters(parameters, findsCrossposts: findsCrossposts)
        addOriginFilters(parameters)
        if dialect.extendsParameters { try addDateFilters(parameters) }
        guard !queries.isEmpty || (order == .id && !filters.isEmpty) else {
            throw .badRequest("You must supply a query\(order == .id ? " or a filter" : "").")
        }
    }

    /// The expression for the index; `nil` if no criterion contains words, tags or users.
    var expression: SearchExpression? {
        SearchExpression(
            queries.flatMap(\.alternatives) + entityTerms.prefix(SearchQuery.maximumTerms).map { [$0.map { [$0] }] }
        )
    }

    func matches(_ object: SearchableObject) -> Bool {
        queries.allSatisfy { $0.matches(object.document) } && filters.allSatisfy { $0(object) }
    }

    func score(_ object: SearchableObject) -> Int { queries.reduce(0) { $0 + $1.score(object.document) } }

    private mutating func addEntityFilters(_ parameters: FormFields) {
        let lists: [(String, @Sendable (SearchDocument) -> Set<String>)] = [
            ("mentions", { $0.mentions }),
            ("leading_mentions", { $0.leadingMentions }), ("links", { Set($0.links) }),
            ("link_domains", { $0.linkDomains }),
        ]
        for (name, values) in lists {
            guard let wanted = parameters.words(name) else { continue }
            filters.append { wanted.isSubset(of: values($0.document)) }
            if name.hasSuffix("mentions") { entityTerms += wanted.map(SearchTerms.mention) }
        }
        if let wanted = parameters.words("hashtags") {
            filters.append { Set(wanted.map($0.document.tagKey)).isSubset(of: $0.document.hashtags) }
            entityTerms += wanted.map(SearchTerms.hashtag)
        }
        if let isDirected = parameters.flag("is_directed") {
            filters.append { $0.document.leadingMentions.isEmpty != isDirected }
        }
    }

    private mutating func addAnnotationFilters(_ parameters: FormFields, findsCrossposts: Bool) {
        if let wanted = parameters.words("annotation_types") {
            filters.append { wanted.isSubset(of: $0.annotationTypes) }
        }
        if let wanted = parameters.words("attachment_types") {
            filters.append { wanted.isSubset(of: $0.attachmentTypes) }
        }
        var flags: [(String, @Sendable (SearchableObject) -> Bool)] = [
            ("has_location", { $0.annotationTypes.contains("net.app.core.geolocation") }),
            ("has_checkin", { $0.annotationTypes.contains("net.app.core.checkin") }),
            ("has_attachment", { $0.hasAttachment }),
        ]
        for kind in ["photo", "video", "html5video", "rich"] {
            flags.append(("has_oembed_\(kind)", { $0.annotations.hasEmbed(kind) }))
        }
        var values = [
            ("place_id", "net.app.core.checkin", "factual_id"), ("language", "net.app.core.language", "language"),
        ]
        if findsCrossposts {
            flags.append(("is_crosspost", { $0.annotationTypes.contains("net.app.core.crosspost") }))
            values.append(("crosspost_url", "net.app.core.crosspost", "canonical_url"))
            if let domain = parameters["crosspost_domain"]?.lowercased() {
                filters.append { object in
                    object.values(of: "net.app.core.crosspost", "canonical_url")
                        .contains { SearchDocument.domain($0) == domain }
                }
            }
        }
        for (name, test) in flags {
            guard let wanted = parameters.flag(name) else { continue }
            filters.append { test($0) == wanted }
        }
        for (name, type, member) in values {
            guard let wanted = parameters[name] else { continue }
            filters.append { $0.values(of: type, member).contains(wanted) }
        }
    }

    private mutating func addOriginFilters(_ parameters: FormFields) {
        if let client = parameters["client_id"] { filters.append { $0.record.client == client } }
        let ids: [(String, @Sendable (SearchableObject) -> Int64?)] = [
            ("creator_id", { $0.record.user }), ("reply_to", { $0.record.replyTo }),
            ("thread_id", { $0.record.thread }),
        ]
        for (name, id) in ids {
            guard let text = parameters[name] else { continue }
            // A text that is not an id matches no object.
            let wanted = Int64(text) ?? -1
            filters.append { id($0) == wanted }
        }
        if let isReply = parameters.flag("is_reply") { filters.append { ($0.record.replyTo != nil) == isReply } }
    }

    /// Adds the filters for `created_after` and `created_before`, which are the earliest and the latest second
    /// (Docs/Protocols/AppNet.md §6.2).
    private mutating func addDateFilters(_ parameters: FormFields) throws(AppNetFailure) {
        if let earliest = try parameters.date("created_after") { filters.append { $0.record.created >= earliest } }
        if let latest = try parameters.date("created_before") { filters.append { $0.record.created <= latest } }
    }
}

/// A post or a message in a search.
struct SearchableObject: Sendable {
    let record: any AuthoredRecord
    let document: SearchDocument

    /// - Parameter tagKey: Returns the form in which tags are compared.
    init(_ record: any AuthoredRecord, tagKey: @escaping @Sendable (String) -> String) {
        self.record = record
        document = SearchDocument(text: record.text ?? "", entities: record.entities, tagKey: tagKey)
    }

    var annotations: [JSONValue] { record.annotations }

    var annotationTypes: Set<String> { Set(annotations.compactMap { $0["type"]?.stringValue?.lowercased() }) }

    /// The attached files: references, or the members that an author wrote instead.
    private var attachments: [JSONValue] {
        annotations.flatMap { annotation in
            ["net.app.core.file_list", "+net.app.core.file_list"]
                .flatMap { annotation["value"]?[$0]?.arrayValue ?? [] }
        }
    }

    var hasAttachment: Bool { !attachments.isEmpty }

    var attachmentTypes: Set<String> { Set(attachments.compactMap { $0["type"]?.stringValue?.lowercased() }) }

    /// Returns the texts of a member of an annotation's value, or of the place that the value references.
    func values(of type: String, _ member: String) -> [String] {
        annotations.filter { $0["type"]?.stringValue == type }.flatMap { annotation in
            [annotation["value"]?[member], annotation["value"]?["+net.app.core.place"]?[member]]
                .compactMap { $0?.stringValue }
        }
    }
}
