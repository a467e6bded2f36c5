internal import HTTPTypes
internal import HeliumServerKit

extension CosmCall {
    func listTriggers() throws -> CosmResponse {
        try authorize(.account)
        let all = try triggers.triggers(of: key.owner, feed: try parameters.integer("feed_id"))
        // A restricted key lists only the triggers that it can read.
        return .reading(.triggers(all.filter { (try? authorize(Self.target($0))) != nil }))
    }

    func createTrigger() throws -> CosmResponse {
        let input = try triggerInBody()
        var trigger = TriggerRecord.blank
        trigger.owner = key.owner
        guard input.kind != nil else { throw CosmFailure.invalid("Trigger type can't be blank") }
        input.applied(to: &trigger)
        try check(trigger)
        // After the check, so that a key without access learns nothing of the other triggers.
        if try triggers.count() >= maxima.triggers { throw CosmFailure.full("triggers") }
        trigger.id = Int(try settings.next("trigger", first: Int64(state.configuration.firstTriggerID)))
        try triggers.save(trigger)
        return CosmResponse(
            status: .created,
            location: "/triggers/\(trigger.id)",
            wakesSilenceTimer: trigger.condition.kind == .frozen
        )
    }

    func readTrigger(_ id: Int) throws -> CosmResponse { .reading(.trigger(try authorizedTrigger(id))) }

    func updateTrigger(_ id: Int) throws -> CosmResponse {
        var trigger = try authorizedTrigger(id)
        try triggerInBody().applied(to: &trigger)
        try check(trigger)
        trigger.isSpent = false
        try triggers.save(trigger)
        return CosmResponse(wakesSilenceTimer: trigger.condition.kind == .frozen)
    }

    func deleteTrigger(_ id: Int) throws -> CosmResponse {
        try triggers.delete(try authorizedTrigger(id).id)
        return .done
    }

    private func triggerInBody() throws -> TriggerInput {
        try body(
            json: TriggerInput.read,
            xml: { node throws(CosmFailure) in try TriggerInput.read(XMLInput.trigger(node)) }
        )
    }

    private static func target(_ trigger: TriggerRecord) -> AccessTarget {
        .trigger(id: trigger.id, owner: trigger.owner, feed: trigger.feed, datastream: trigger.datastream)
    }

    private func authorizedTrigger(_ id: Int) throws -> TriggerRecord {
        guard let trigger = try triggers.trigger(id) else { throw CosmFailure.notFound }
        try authorize(Self.target(trigger))
        return trigger
    }

    /// Rejects a trigger that breaks a rule, or that watches a datastream that the key may not read.
    private func check(_ trigger: TriggerRecord) throws {
        try require(TriggerRules.violations(of: trigger))
        try authorize(Self.target(trigger))
        guard let feed = try feeds.feed(trigger.feed),
            !feed.isPrivate || (feed.owner == key.owner && key.opensPrivate)
        else { throw CosmFailure.invalid("Environment does not exist") }
        if try datastreams.datastream(trigger.datastream, of: feed.id) == nil {
            throw CosmFailure.invalid("Stream does not exist")
        }
    }
}
