internal import GRDB
internal import HeliumJSON

extension AppNetCall {
    /// `GET channels/messages/search`
    func searchMessages() throws -> AppNetAnswer {
        let criteria = try SearchCriteria(parameters, findsCrossposts: false, isPnut: request.isPnut)
        let channels = try searchedChannels()
        let isListed = try messageFilter()
        let renderer = renderer
        let tagKey = tagKey
        // Ids that were read from the database.
        let list = channels.keys.map(String.init).joined(separator: ",")
        return try searchPage(
            criteria,
            fetch: { window in
                let sql = """
                    SELECT * FROM appnet_message WHERE channel IN (\(list)) AND NOT is_deleted AND NOT machine_only
                    """
                return try Row.fetchAll(database, sql: sql + window.sql("id")).map(AppNetMessageTable.message(row:))
            },
            id: \.id,
            text: { $0.text?.text },
            object: { message in
                SearchableObject(
                    document: SearchDocument(
                        text: message.text?.text ?? "",
                        entities: message.text?.entities ?? message.entities,
                        tagKey: tagKey
                    ),
                    annotations: message.annotations,
                    creator: message.user,
                    created: message.created,
                    client: message.client,
                    replyTo: message.replyTo,
                    thread: message.thread
                )
            },
            includes: isListed,
            render: { message in
                try channels[message.channel].map { try renderer.message(message, in: $0) } ?? .object([:])
            }
        )
    }

    /// The channels that `channel_ids` names, and that the caller sees: ids, or all of his private conversations or
    /// broadcasts.
    private func searchedChannels() throws -> [Int64: AppNetChannel] {
        guard let text = parameters["channel_ids"] else {
            throw AppNetFailure.badRequest("You must supply channel_ids.")
        }
        let found: [AppNetChannel]
        switch text {
        case "pm": found = try channels.subscribed(by: me(), type: AppNetChannel.privateMessages)
        case "broadcast": found = try channels.subscribed(by: me(), type: AppNetChannel.broadcast)
        default:
            let ids = text.split { $0 == "," || $0 == " " }
            guard ids.count <= 200 else { throw AppNetFailure.badRequest("At most 200 channels can be searched.") }
            found = try ids.compactMap { Int64($0) }.compactMap(channels.channel)
        }
        let visible = try found.filter(access.sees)
        return Dictionary(visible.map { ($0.id, $0) }) { first, _ in first }
    }

    /// `GET channels/search`
    func searchChannels() throws -> AppNetAnswer {
        let search = try ChannelSearch(parameters)
        let access = access
        let renderer = renderer
        let audience = audience
        let excluded = options.excludedChannelTypes
        var budget = SearchBudget(maxima)
        func matches(_ channel: AppNetChannel) throws -> Bool {
            try budget.count(nil)
            guard search.hasTypes || !excluded.contains(channel.type) else { return false }
            return try access.sees(channel) && (options.includesInactive || !channel.isInactive)
                && search.matches(channel)
        }
        guard search.order == .popularity else {
            let isByActivity = search.order == .activity
            return try page(
                fetch: { window in
                    let order = isByActivity ? window.sql("activity") : window.sql("id")
                    return try Row.fetchAll(database, sql: "SELECT * FROM appnet_channel WHERE 1 = 1" + order)
                        .map(AppNetChannelTable.channel(row:))
                },
                id: { isByActivity ? $0.activity : $0.id },
                includes: matches,
                render: renderer.channel
            )
        }
        // The most popular first.
        var all: [AppNetChannel] = []
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM appnet_channel ORDER BY id DESC")
        while let channel = try rows.next().map(AppNetChannelTable.channel(row:)) {
            if try matches(channel) { all.append(channel) }
        }
        return try rankedPage(
            try all.map { ($0, try audience.subscriberCount(of: $0.id), $0.id) },
            render: renderer.channel
        )
    }
}

/// What a search of channels asks for (§2.12).
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

    /// - Throws: ``AppNetFailure`` with 400 for what is not known.
    init(_ parameters: AppNetParameters) throws(AppNetFailure) {
        if let text = parameters["order"] {
            guard let order = Order(rawValue: text) else {
                throw .badRequest("order must be popularity, id or activity.")
            }
            self.order = order
        }
        if let text = parameters["q"] { query = try SearchQuery(text, findsEntities: false) }
        tags = parameters["tags"].map { Set($0.lowercased().split { $0 == " " || $0 == "," }.map(String.init)) }
        // pnut has lists of types; no type has a comma.
        types = parameters.list("type").map(Set.init)
        // What is no id is nobody's.
        creator = parameters["creator_id"].map { Int64($0) ?? -1 }
        isPrivate = parameters.flag("is_private")
        isPublic = parameters.flag("is_public")
    }

    /// Whether only channels of some types are found.
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
        return query.matches(SearchDocument(text: values.flatMap(Self.texts).joined(separator: " ")))
    }

    /// Every text in a value.
    private static func texts(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(texts)
        case .object(let members): members.flatMap { texts($0.value) }
        default: []
        }
    }
}
