internal import GRDB
internal import HeliumJSON

/// A stream of chat rooms that pnut.io picks (AppNet.md §6.2).
enum ChannelExploreStream: String, CaseIterable, Sendable {
    case conversations, new, topical, trending

    private var title: String {
        switch self {
        case .conversations: "Conversations"
        case .new: "New"
        case .topical: "Topical"
        case .trending: "Trending"
        }
    }

    private var summary: String {
        switch self {
        case .conversations: "Chat rooms with recent activity"
        case .new: "Chat rooms that you are not subscribed to, the latest first"
        case .topical: "Chat rooms with topics to discuss"
        case .trending: "Popular chat rooms"
        }
    }

    func json(root: String) -> JSONValue {
        [
            "slug": .string(rawValue), "title": .string(title), "description": .string(summary),
            "url": .string("\(root)\(AppNetArea.pnutPrefix)/channels/streams/explore/\(rawValue)"),
        ]
    }
}

extension AppNetCall {
    /// `GET channels/streams/explore`
    func listChannelExploreStreams() -> AppNetAnswer {
        .data(.array(ChannelExploreStream.allCases.map { $0.json(root: request.root) }))
    }

    /// `GET channels/streams/explore/{slug}`
    func exploreChannels() throws -> AppNetAnswer {
        guard let stream = ChannelExploreStream(rawValue: segment("slug")) else { throw AppNetFailure.notFound }
        var answer = stream == .trending ? try trendingRooms() : try rooms(of: stream)
        answer.meta["explore_stream"] = stream.json(root: request.root)
        return answer
    }

    private static let rooms = "SELECT * FROM appnet_channel WHERE type = 'net.app.core.chat' AND NOT is_inactive"

    private func rooms(of stream: ChannelExploreStream) throws -> AppNetAnswer {
        let renderer = renderer
        let isByActivity = stream == .conversations
        return try page(
            fetch: { window in
                let order = isByActivity ? window.sql("activity") : window.sql("id")
                return try Row.fetchAll(database, sql: Self.rooms + order).map(AppNetChannelTable.channel(row:))
            },
            id: { isByActivity ? $0.activity : $0.id },
            includes: { channel in
                guard channel.isPublic || channel.isReadableByAnyUser, try access.sees(channel) else { return false }
                switch stream {
                case .conversations: return channel.messages > 0
                case .new: return try caller.user.map { try !audience.isSubscribed($0, to: channel.id) } ?? true
                case .topical: return channel.hasTopics
                case .trending: return true
                }
            },
            render: renderer.channel
        )
    }

    /// The rooms with the most subscribers first.
    private func trendingRooms() throws -> AppNetAnswer {
        let found = try Row.fetchAll(
            database,
            sql: Self.rooms + " ORDER BY id DESC LIMIT ?",
            arguments: [maxima.searchedObjects]
        ).map(AppNetChannelTable.channel(row:)).filter {
            try ($0.isPublic || $0.isReadableByAnyUser) && access.sees($0)
        }
        return try rankedPage(
            try found.map { ($0, try audience.subscriberCount(of: $0.id), $0.id) },
            render: renderer.channel
        )
    }
}

extension AppNetChannel {
    /// Whether the room's settings name categories.
    fileprivate var hasTopics: Bool {
        let settings = annotations.first { $0["type"] == "net.app.core.chat-settings" }?["value"]
        return !(settings?["categories"]?.arrayValue ?? []).isEmpty
    }
}
