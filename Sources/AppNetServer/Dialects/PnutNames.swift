/// Translates names that differ between App.net and pnut.io (Docs/Protocols/AppNet.md §6.1).
enum PnutNames {
    private static let pnutPrefix = "io.pnut.core."
    private static let appNetPrefix = "net.app.core."

    /// Returns pnut's name of a type of annotations or channels, or of a replacement key.
    static func pnut(_ name: String) -> String { moved(name, from: appNetPrefix, to: pnutPrefix) }

    /// Returns App.net's name of such a type.
    static func appNet(_ name: String) -> String { moved(name, from: pnutPrefix, to: appNetPrefix) }

    /// Returns App.net's name of a type in a query. The service does not know the types under App.net's own names, so these
    /// become other names.
    static func appNetQueried(_ name: String) -> String {
        let own = appNet(name)
        return own == name ? pnut(name) : own
    }

    private static func moved(_ name: String, from: String, to: String) -> String {
        let mark = name.hasPrefix("+") ? "+" : ""
        let rest = name.dropFirst(mark.count)
        return rest.hasPrefix(from) ? mark + to + rest.dropFirst(from.count) : name
    }

    /// Returns pnut's name of a stream marker (Docs/Protocols/AppNet.md §6.2).
    static func pnutMarker(_ name: String) -> String {
        switch name {
        case "my_stream", "unified": "personal"
        case _ where name.hasPrefix("mentions:"): "mentions"
        default: name
        }
    }

    /// Returns App.net's name of a user's stream marker.
    static func appNetMarker(_ name: String, user: String?) -> String {
        switch name {
        case "personal": "unified"
        case "mentions": user.map { "mentions:\($0)" } ?? name
        default: name
        }
    }

    /// Returns pnut's name of a type of events (Docs/Protocols/AppNet.md §6.3).
    static func pnutEvent(_ type: String) -> String { pnutEvents[type] ?? type }

    /// Returns App.net's name of such a type.
    static func appNetEvent(_ type: String) -> String {
        pnutEvents.first { $0.value == type }?.key ?? type
    }

    private static let pnutEvents = ["star": "bookmark", "user_follow": "follow"]

    /// The types of events that only pnut has.
    static let ownEvents: Set<AppNetEvent.Kind> = [.poll, .userPresence, .userChannelPresence]

    /// The actions of all interactions, in App.net's names.
    static let actions: Set = ["follow", "poll_response", "reply", "repost", "star"]

    /// Returns pnut's name of an action of interactions.
    static func pnutAction(_ action: String) -> String { action == "star" ? "bookmark" : action }

    static func appNetAction(_ action: String) -> String { action == "bookmark" ? "star" : action }
}
