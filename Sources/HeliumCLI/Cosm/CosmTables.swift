import Cosm

/// The tables for each kind of object.
enum CosmTables {
    static func feeds(_ feeds: [Feed]) -> OutputText {
        var table = TextTable("ID", "TITLE", "STATUS", "UPDATED", "DATASTREAMS")
        for feed in feeds {
            let streams = feed.datastreams?.compactMap(\.id).joined(separator: " ")
            table.add(feed.id?.text, feed.title, feed.status?.rawValue, feed.updated?.description, streams)
        }
        return OutputText(table)
    }

    static func feed(_ feed: Feed) -> OutputText {
        var table = TextTable("MEMBER", "VALUE")
        func add(_ name: String, _ value: String?) { if let value, !value.isEmpty { table.add(name, value) } }
        add("id", feed.id?.text)
        add("title", feed.title)
        add("description", feed.description)
        add("status", feed.status?.rawValue)
        add("private", feed.isPrivate.map { $0 ? "yes" : "no" })
        add("tags", feed.tags?.joined(separator: ", "))
        add("location", feed.location.map(place))
        add("website", feed.website)
        add("email", feed.email)
        add("owner", feed.user?.login)
        add("created", feed.created?.description)
        add("updated", feed.updated?.description)
        guard let streams = feed.datastreams, !streams.isEmpty else { return OutputText(table) }
        return "\(OutputText(table))\n\n\(datastreams(streams))"
    }

    static func datastreams(_ streams: [Datastream]) -> OutputText {
        var table = TextTable("DATASTREAM", "VALUE", "UNIT", "AT", "MINIMUM", "MAXIMUM", "TAGS")
        for stream in streams {
            table.add(
                stream.id,
                stream.currentValue?.text,
                stream.unit?.symbol ?? stream.unit?.label,
                stream.at?.description,
                stream.minimumValue?.text,
                stream.maximumValue?.text,
                stream.tags?.joined(separator: ", ")
            )
        }
        return OutputText(table)
    }

    static func datapoints(_ points: [Datapoint]) -> OutputText {
        var table = TextTable("AT", "VALUE")
        for point in points { table.add(point.at?.description, point.value?.text) }
        return OutputText(table)
    }

    static func triggers(_ triggers: [Trigger]) -> OutputText {
        var table = TextTable("ID", "FEED", "DATASTREAM", "CONDITION", "URL", "NOTIFIED")
        for trigger in triggers {
            let condition = [trigger.condition?.rawValue, trigger.threshold?.text].compactMap(\.self)
            table.add(
                trigger.id?.text,
                trigger.feedID?.text,
                trigger.datastreamID,
                condition.joined(separator: " "),
                trigger.url,
                trigger.notifiedAt?.text
            )
        }
        return OutputText(table)
    }

    /// Returns a table of keys. The keys are not masked; the caller must mask them.
    static func keys(_ keys: [APIKey]) -> OutputText {
        var table = TextTable("LABEL", "METHODS", "FEEDS", "PRIVATE", "EXPIRES", "KEY")
        for key in keys {
            let permissions = key.permissions ?? []
            let methods = permissions.flatMap { $0.accessMethods ?? [] }.map(\.rawValue)
            let feeds = permissions.flatMap { $0.resources ?? [] }.compactMap { $0.feedID?.text }
            table.add(
                key.label,
                methods.joined(separator: " "),
                feeds.isEmpty ? "all" : feeds.joined(separator: " "),
                key.hasPrivateAccess == true ? "yes" : "no",
                key.expiresAt?.text,
                key.key?.value
            )
        }
        return OutputText(table)
    }

    private static func place(_ location: Location) -> String {
        var parts = [location.name, location.domain?.rawValue, location.exposure?.rawValue].compactMap(\.self)
        if let latitude = location.latitude, let longitude = location.longitude {
            parts.append("\(latitude), \(longitude)")
        }
        if let elevation = location.elevation { parts.append("\(elevation) m") }
        return parts.joined(separator: "; ")
    }
}
