internal import HeliumJSON
internal import HeliumServerKit

/// Writes documents as JSON (Docs/Protocols/Cosm.md §10). Members without a value are left out.
struct JSONOutput {
    let context: RenderContext

    static let version: JSONValue = "1.0.0"

    func value(of document: CosmDocument) -> JSONValue {
        switch document {
        case .feed(let feed): self.feed(feed)
        case .feeds(let list): self.list(list)
        case .datastream(let stream, _): .object(datastream(stream, isTop: true))
        case .datastreams(let streams, _):
            ["version": Self.version, "datastreams": .array(streams.map { .object(datastream($0)) })]
        case .datapoint(let point, _): datapoint(point)
        case .key(let key): ["key": KeyDocument.json(key.object)]
        case .keys(let keys): ["keys": .array(keys.map { KeyDocument.json($0.object) })]
        case .trigger(let trigger): TriggerDocument.json(trigger.object, context)
        case .triggers(let triggers): .array(triggers.map { TriggerDocument.json($0.object, context) })
        case .user(let user): ["user": .object(user.object.profile)]
        case .users(let users): .array(users.map { ["user": .object($0.object.profile)] })
        }
    }

    private func list(_ list: FeedListDocument) -> JSONValue {
        [
            "totalResults": .number(JSONNumber(list.total)), "startIndex": .number(JSONNumber(list.startIndex)),
            "itemsPerPage": .number(JSONNumber(list.itemsPerPage)), "results": .array(list.feeds.map(feed)),
        ]
    }

    private func feed(_ document: FeedDocument) -> JSONValue {
        let feed = document.feed
        var object: JSONObject = [
            "id": .number(JSONNumber(feed.id)),
            "title": .string(feed.title),
            "private": feed.isPrivate ? "true" : "false",
            "feed": .string(context.feedURL(feed.id) + ".json"),
            "status": feed.isLive(at: context.now) ? "live" : "frozen",
            "updated": stamp(feed.updated),
            "created": stamp(feed.created),
            "creator": .string(context.creatorURL(feed.owner)),
            "version": Self.version,
        ]
        object.set("description", feed.description)
        object.set("website", feed.website)
        object.set("email", feed.email)
        object.set("icon", feed.icon)
        object.set("tags", feed.tags)
        if document.showsUser { object["user"] = ["login": .string(feed.owner)] }
        let location = location(feed.location, document.waypoints)
        if !location.isEmpty { object["location"] = .object(location) }
        if let streams = document.datastreams, !streams.isEmpty {
            object["datastreams"] = .array(streams.map { .object(datastream($0)) })
        }
        return .object(object)
    }

    private func location(_ location: LocationRecord, _ waypoints: [Waypoint]) -> JSONObject {
        var object = JSONObject()
        object.set("name", location.name)
        object.set("domain", location.domain)
        object.set("exposure", location.exposure)
        object.set("disposition", location.disposition)
        object.set("lat", location.latitude)
        object.set("lon", location.longitude)
        object.set("ele", location.elevation)
        if !waypoints.isEmpty { object["waypoints"] = .array(waypoints.map(waypoint)) }
        return object
    }

    private func waypoint(_ waypoint: Waypoint) -> JSONValue {
        var object: JSONObject = ["at": stamp(waypoint.at)]
        object.set("lat", waypoint.latitude)
        object.set("lon", waypoint.longitude)
        object.set("ele", waypoint.elevation)
        return .object(object)
    }

    private func datastream(_ document: DatastreamDocument, isTop: Bool = false) -> JSONObject {
        let stream = document.stream
        var object: JSONObject = ["id": .string(stream.id)]
        object.set("current_value", stream.currentValue)
        if let at = stream.at { object["at"] = stamp(at) }
        object.set("max_value", stream.maximum.map(NumericText.decimal))
        object.set("min_value", stream.minimum.map(NumericText.decimal))
        object.set("tags", stream.tags)
        if !stream.unit.isEmpty {
            var unit = JSONObject()
            unit.set("label", stream.unit.label)
            unit.set("symbol", stream.unit.symbol)
            unit.set("type", stream.unit.type)
            object["unit"] = .object(unit)
        }
        if let points = document.points, !points.isEmpty {
            object["datapoints"] = .array(points.map(datapoint))
            object.set("datapoints_function", document.function)
        }
        if isTop { object["version"] = Self.version }
        return object
    }

    private func datapoint(_ point: Datapoint) -> JSONValue { ["value": .string(point.value), "at": stamp(point.at)] }

    private func stamp(_ instant: ServerInstant) -> JSONValue { .string(instant.text(context.zone)) }
}

extension JSONObject {
    /// Sets a text member, unless the text is `nil`.
    mutating func set(_ name: String, _ text: String?) { if let text { self[name] = .string(text) } }

    /// Sets a member with texts, unless there are none.
    mutating func set(_ name: String, _ texts: [String]) {
        if !texts.isEmpty { self[name] = .array(texts.map { .string($0) }) }
    }

    /// Sets a number member, unless the number is `nil`.
    mutating func set(_ name: String, _ number: Double?) {
        if let number = number.flatMap({ JSONNumber($0) }) { self[name] = .number(number) }
    }
}
