internal import HeliumJSON

/// Triggers in JSON (§8), with the members that xively-python demands.
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

    /// Numbers are shown with at least one decimal (`15.0`).
    static func threshold(of trigger: TriggerRecord) -> String? {
        trigger.condition.threshold.map { text in NumericText.number(text).map(NumericText.decimal) ?? text }
    }
}
