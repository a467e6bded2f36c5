internal import HeliumCore
internal import HeliumJSON
internal import HeliumServerKit

/// A notification of a trigger that has fired.
struct TriggerNotification: Sendable {
    let trigger: TriggerRecord
    let stream: DatastreamRecord
    /// The feed; `nil` if the trigger's key may read the datastream only.
    let feed: FeedRecord?
    /// The time when the trigger fired.
    let at: ServerInstant
    /// The host that receives the notification, whatever the port and the path are.
    let receiver: String

    init(
        trigger: TriggerRecord,
        stream: Granted<DatastreamRecord>,
        feed: Granted<FeedRecord>?,
        at: ServerInstant
    ) {
        self.trigger = trigger
        self.stream = stream.object
        self.feed = feed?.object
        self.at = at
        receiver = Self.target(trigger.url)?.origin.host.lowercased() ?? ""
    }

    /// Returns the request body: one form field `body` with JSON (Docs/Protocols/Cosm.md §8).
    func form(_ context: RenderContext) -> String {
        FormText.text(of: [("body", document(context).text())])
    }

    /// Returns the JSON in the body. Numbers are JSON numbers here, and the longitude is `lng`.
    func document(_ context: RenderContext) -> JSONValue {
        var object: JSONObject = [
            "id": .number(JSONNumber(trigger.id)),
            "type": .string(trigger.condition.kind.rawValue),
            "timestamp": .string(at.text()),
            "url": .string("\(context.base)/triggers/\(trigger.id)"),
            "environment": environment(context),
            "triggering_datastream": datastream(context),
        ]
        if let threshold = trigger.condition.threshold { object["threshold_value"] = Self.value(threshold) }
        return .object(object)
    }

    private func environment(_ context: RenderContext) -> JSONValue {
        var location = JSONObject()
        location.set("lat", feed?.location.latitude)
        location.set("lng", feed?.location.longitude)
        location.set("name", feed?.location.name)
        return [
            "id": .number(JSONNumber(stream.feed)), "title": .string(feed?.title ?? ""),
            "description": .string(feed?.description ?? ""), "feed": .string(context.feedURL(stream.feed)),
            "location": .object(location),
        ]
    }

    private func datastream(_ context: RenderContext) -> JSONValue {
        var values = JSONObject()
        if let current = stream.currentValue {
            // Receivers differ in the name that they read.
            values["value"] = Self.value(current)
            values["current_value"] = Self.value(current)
        }
        values.set("max_value", stream.maximum)
        values.set("min_value", stream.minimum)
        var object: JSONObject = [
            "id": .string(stream.id), "url": .string(context.datastreamURL(stream.id, of: stream.feed)),
            "value": .object(values),
        ]
        if let at = stream.at { object["at"] = .string(at.text()) }
        return .object(object)
    }

    /// Returns a number if the text is numeric, otherwise the text.
    private static func value(_ text: String) -> JSONValue {
        NumericText.number(text).flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .string(text)
    }

    /// Returns the URL for the transport; `nil` if it is invalid.
    static func target(_ url: String) -> RequestURL? { try? RequestURL(url) }
}
