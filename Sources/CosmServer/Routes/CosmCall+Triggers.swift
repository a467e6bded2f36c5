internal import HTTPTypes
internal import HeliumServerKit

extension CosmCall {
    func listTriggers() throws -> CosmResponse {
        try use.authorize(.account)
        let all = try triggers.triggers(of: key.owner, feed: try parameters.integer("feed_id"))
        // A restricted key lists only the triggers that it can read.
        return .reading(
            .triggers(
                try all.compactMap { trigger in
                    // The decision needs no texts, and there can be a thousand feeds.
                    let feed = try feeds.abbreviatedFeed(trigger.feed)
                    return try? use.grant(trigger, on: feed)
                }
            )
        )
    }

    func createTrigger(_ input: TriggerInput) throws -> CosmResponse {
        guard input.kind != nil else { throw CosmFailure.invalid("Trigger type can't be blank") }
        var trigger = TriggerRecord.blank
        trigger.owner = key.owner
        try apply(input, to: &trigger)
        // After the check, so that a key without access learns nothing of the other triggers.
        try requireRoom(
            for: "triggers",
            own: triggers.count(of: key.owner),
            of: maxima.triggersPerUser,
            all: triggers.count(),
            of: maxima.triggers
        )
        let first = Int64(state.configuration.firstTriggerID)
        trigger.id = Int(try settings.next("trigger", first: first, above: triggers.greatestID()))
        try triggers.insert(trigger)
        return CosmResponse(
            status: .created,
            location: "/triggers/\(trigger.id)",
            wakesSilenceTimer: trigger.condition.kind == .frozen
        )
    }

    func readTrigger(_ id: Int) throws -> CosmResponse { .reading(.trigger(try grantedTrigger(id))) }

    func updateTrigger(_ id: Int, _ input: TriggerInput) throws -> CosmResponse {
        var trigger = try grantedTrigger(id).object
        try apply(input, to: &trigger)
        trigger.isSpent = false
        try triggers.update(trigger)
        return CosmResponse(wakesSilenceTimer: trigger.condition.kind == .frozen)
    }

    func deleteTrigger(_ id: Int) throws -> CosmResponse {
        try triggers.delete(try grantedTrigger(id).object.id)
        return .done
    }

    func grantedTrigger(_ id: Int) throws -> Granted<TriggerRecord> {
        guard let trigger = try triggers.trigger(id) else { throw CosmFailure.notFound }
        return try use.grant(trigger, on: try feeds.feed(trigger.feed))
    }

    /// Applies the content of a request to a trigger, which then belongs to the key of the request.
    ///
    /// - Throws: ``CosmFailure``: 422 for a trigger that breaks a rule, 403 for one on a datastream that the key may
    ///   not read. A trigger sends what it watches to its URL, so it needs the right to read it.
    private func apply(_ input: TriggerInput, to trigger: inout TriggerRecord) throws {
        input.applied(to: &trigger)
        trigger.author = TriggerAuthor(key: key.secret, address: request.address, referer: request.referer)
        let allowsLocal = state.configuration.allowsLocalTriggerTargets
        try require(TriggerRules.violations(of: trigger, allowsLocalTargets: allowsLocal))
        try use.authorize(trigger.target)
        guard let feed = try feeds.feed(trigger.feed) else { throw Self.noEnvironment }
        do {
            try use.using(.get).authorize(.part(trigger.datastream, of: feed))
        } catch CosmFailure.notFound {
            throw Self.noEnvironment
        }
        if try datastreams.datastream(trigger.datastream, of: feed.id) == nil {
            throw CosmFailure.invalid("Stream does not exist")
        }
    }

    /// The error for a feed that does not exist, or that the key may not see.
    private static let noEnvironment = CosmFailure.invalid("Environment does not exist")
}
