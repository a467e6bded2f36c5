internal import HeliumServerKit

/// Translates query parameters to App.net's names (Docs/Protocols/AppNet.md §6.2, §6.3).
enum PnutParameters {
    /// Returns App.net's form of the query of a WebSocket handshake.
    static func translated(_ query: FormFields, of socket: AppNetHandshakeHandler.Endpoint.Kind) -> FormFields {
        var result = renamed(query, for: nil)
        if socket == .userStream {
            // A user stream ends with its connection and has no id for resuming (Docs/Protocols/AppNet.md §6.2).
            result["connection_id"] = nil
            result["auto_delete"] = "1"
        }
        return result
    }

    /// Returns App.net's form of the query of a call.
    static func translated(_ query: FormFields, for route: PnutRoute) -> FormFields {
        var result = renamed(query, for: route)
        if route.output == .interaction, result["interaction_actions"] == nil, let excluded = query.list("exclude") {
            // An empty list of actions differs from a missing list.
            let left = PnutNames.actions.subtracting(excluded.map(PnutNames.appNetAction))
            result["interaction_actions"] = left.isEmpty ? "," : left.sorted().joined(separator: ",")
        }
        if route.path == "channels/messages/search", result["order"] == nil, result["query"] != nil {
            result["order"] = "score"
        }
        // Lists of channels always contain the marker; a single channel does only if it is requested.
        if route.output == .channel, !route.pattern.description.contains("{id}"), result["include_marker"] == nil {
            result["include_marker"] = "1"
        }
        return result
    }

    private static func renamed(_ query: FormFields, for route: PnutRoute?) -> FormFields {
        var result = FormFields()
        result.fault = query.fault
        for (name, value) in query.all {
            guard let (name, value) = translated(name, value, for: route) else { continue }
            result[name] = value
        }
        return result
    }

    private static let names = [
        "include_raw": "include_annotations", "include_bookmarked_by": "include_starred_by",
        "include_reposted_by": "include_reposters", "filters": "interaction_actions",
    ]

    private static let searchNames = [
        "q": "query", "tags": "hashtags", "urls": "links", "url_domains": "link_domains",
        "raw_types": "annotation_types",
    ]

    private static func translated(_ name: String, _ value: String, for route: PnutRoute?) -> (String, String)? {
        if let appNet = names[name] {
            return (appNet, name == "filters" ? list(value, PnutNames.appNetAction) : value)
        }
        if name.hasPrefix("include_"), name.hasSuffix("_raw") {
            return ("\(name.dropLast("_raw".count))_annotations", value)
        }
        let path = route?.path
        switch name {
        case "count":
            // A value that is out of range is ignored (Docs/Protocols/AppNet.md §6.1).
            guard let count = Int(value), count != 0, -200...200 ~= count else { return nil }
            return (name, value)
        case "channel_types" where path == "channels/search": return ("type", list(value, PnutNames.appNetQueried))
        case "channel_types", "exclude_channel_types", "file_types": return (name, list(value, PnutNames.appNetQueried))
        case "owner_id" where path == "channels/search": return ("creator_id", value)
        case "order" where value == "relevance": return (name, "score")
        case "raw_types" where path == "polls/search": return (name, list(value, PnutNames.appNetQueried))
        case "is_sticky", "callback": return nil
        case "exclude" where route?.output == .interaction: return nil
        case _ where path == "posts/search" || path == "channels/messages/search":
            guard let appNet = searchNames[name] else { return (name, value) }
            if name == "q" { return (appNet, value) }
            // pnut separates the elements of lists by commas, App.net by spaces.
            let elements = name == "raw_types" ? list(value, PnutNames.appNetQueried) : value
            return (appNet, elements.replacing(",", with: " "))
        default: return (name, value)
        }
    }

    private static func list(_ value: String, _ change: (String) -> String) -> String {
        value.split(separator: ",").map { change($0.trimming()) }.joined(separator: ",")
    }
}
