internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

extension SearchHandlers {
    /// Handles `GET channels/messages/search`.
    func searchMessages() throws -> AppNetResponse {
        let criteria = try SearchCriteria(context.parameters, findsCrossposts: false, context.request.dialect)
        let channels = try searchedChannels()
        let filter = try MessageFilter(context)
        let renderer = context.renderer
        let terms = criteria.expression
        return try searchPage(
            criteria,
            fetch: { try tables.messages.messages(matching: terms, in: channels.keys, $0) },
            includes: filter.includes,
            render: { message in
                try channels[message.channel].flatMap { try renderer.message(message, in: $0) }
            }
        )
    }

    /// Returns the channels of `channel_ids` that the caller can see. `channel_ids` contains ids, or selects all of the
    /// caller's private conversations or broadcasts.
    private func searchedChannels() throws -> [Int64: AppNetChannel] {
        let text = try require(context.parameters["channel_ids"], or: .badRequest("You must supply channel_ids."))
        let found: [AppNetChannel]
        switch text {
        case "pm": found = try tables.channels.subscribed(by: context.me(), type: AppNetChannel.privateMessages)
        case "broadcast": found = try tables.channels.subscribed(by: context.me(), type: AppNetChannel.broadcast)
        default:
            let ids = text.split { $0 == "," || $0 == " " }
            try require(ids.count <= 200, "At most 200 channels can be searched.")
            found = try ids.compactMap { Int64($0) }.compactMap(tables.channels.channel)
        }
        // Only these channels are searched, so that a search does not examine what its caller cannot see.
        let visible = try found.filter(reader.sees)
        return Dictionary(visible.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Handles `GET channels/search`.
    func searchChannels() throws -> AppNetResponse {
        let search = try ChannelSearch(context.parameters)
        let renderer = context.renderer
        let audience = tables.audience
        let excluded = context.options.excludedChannelTypes
        var budget = SearchBudget(context.maxima)
        func matches(_ channel: AppNetChannel) throws -> Bool {
            try budget.count(nil)
            guard search.hasTypes || !excluded.contains(channel.type) else { return false }
            return try reader.sees(channel) && (context.options.includesInactive || !channel.isInactive)
                && search.matches(channel)
        }
        guard search.order == .popularity else {
            let isByActivity = search.order == .activity
            return try context.page(
                fetch: { try tables.channels.channels(matching: search.expression, $0, byActivity: isByActivity) },
                id: { isByActivity ? $0.activity : $0.id },
                includes: matches,
                render: renderer.channel
            )
        }
        // The most popular channels come first.
        var all: [AppNetChannel] = []
        try tables.channels.forEach(matching: search.expression) { channel in
            if try matches(channel) { all.append(channel) }
        }
        return try context.rankedPage(
            try all.map { ($0, try audience.subscriberCount(of: $0.id), $0.id) },
            render: renderer.channel
        )
    }
}
