internal import HeliumJSON

/// Writes triggers as JSON (Docs/Protocols/Cosm.md §8), with the members that xively-python requires.
enum TriggerDocument {
    static func json(_ trigger: TriggerRecord, _ context: RenderContext) -> JSONValue {
        var object: JSONObject = [
            "id": .number(JSONNumber(trigger.id)), "environment_id": .number(JSONNumber(trigger.feed)),
            "stream_id": .string(trigger.datastream), "url": .string(trigger.url),
            "trigger_type": .string(trigger.condition.kind.rawValue),
        ]
        object.set("threshold_value", threshold(of: trigger))
        object["notified_at"] = .string(trigger.notified?.text(context.zone) ?? "")
        object["user"] = .string(trigger.owner)
        return .object(object)
    }

    /// Returns the threshold. Numbers have at least one decimal (`15.0`).
    static func threshold(of trigger: TriggerRecord) -> String? {
        trigger.condition.threshold.map { text in NumericText.number(text).map(NumericText.decimal) ?? text }
    }
}
