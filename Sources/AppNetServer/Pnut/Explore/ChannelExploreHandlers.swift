internal import HeliumJSON

/// pnut's calls for the streams of chat rooms (Docs/Protocols/AppNet.md §6.2).
struct ChannelExploreHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET channels/streams/explore`.
    func list() -> AppNetResponse {
        .data(.array(ChannelExploreStream.allCases.map { $0.json(root: context.request.root) }))
    }

    /// Handles `GET channels/streams/explore/{slug}`.
    func read() throws -> AppNetResponse {
        guard let stream = ChannelExploreStream(rawValue: context.segment("slug")) else { throw AppNetFailure.notFound }
        var answer = stream == .trending ? try trendingRooms() : try rooms(of: stream)
        answer.meta["explore_stream"] = stream.json(root: context.request.root)
        return answer
    }

    private func rooms(of stream: ChannelExploreStream) throws -> AppNetResponse {
        let renderer = context.renderer
        let isByActivity = stream == .conversations
        return try context.page(
            fetch: { try tables.channels.rooms($0, byActivity: isByActivity) },
            id: { isByActivity ? $0.activity : $0.id },
            includes: { channel in
                guard channel.isReadableByAnyUser else { return false }
                switch stream {
                case .conversations: return channel.messages > 0
                case .new:
                    guard let me = context.caller.user else { return true }
                    return try !tables.audience.isSubscribed(me, to: channel.id)
                case .topical: return channel.hasTopics
                case .trending: return true
                }
            },
            render: renderer.channel
        )
    }

    /// Returns the rooms by their number of subscribers, highest first.
    private func trendingRooms() throws -> AppNetResponse {
        let found = try tables.channels.rooms(limit: context.maxima.searchedObjects).filter(\.isReadableByAnyUser)
        return try context.rankedPage(
            try found.map { ($0, try tables.audience.subscriberCount(of: $0.id), $0.id) },
            render: context.renderer.channel
        )
    }
}

extension AppNetChannel {
    /// Whether the room's settings contain categories.
    fileprivate var hasTopics: Bool {
        let settings = annotations.first { $0["type"] == "net.app.core.chat-settings" }?["value"]
        return !(settings?["categories"]?.arrayValue ?? []).isEmpty
    }
}
