internal import Foundation
internal import HeliumJSON

/// A stream of chat rooms that pnut.io selects (Docs/Protocols/AppNet.md §6.2).
enum ChannelExploreStream: String, CaseIterable, Sendable {
    case conversations, new, topical, trending

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
            "slug": .string(rawValue), "title": .string(rawValue.capitalized), "description": .string(summary),
            "url": .string("\(root)\(AppNetArea.pnutPrefix)/channels/streams/explore/\(rawValue)"),
        ]
    }
}
