internal import GRDB
internal import HeliumServerKit

/// Finds the triggers that fire, inside of the transaction that causes it, and records that they fired.
struct TriggerWatch {
    let database: Database
    let now: ServerInstant

    /// Returns the notifications of an update of a datastream. `current` is `nil` if the update only added to the
    /// history.
    func notifications(
        feed: FeedRecord,
        stream: DatastreamRecord,
        previous: DatastreamRecord,
        current: Datapoint?
    ) throws -> (notifications: [TriggerNotification], revivesSilence: Bool) {
        let table = TriggerTable(database: database)
        let wasFrozen = previous.updated.map { now > $0.adding(seconds: FeedRecord.liveSeconds) } ?? false
        var notifications: [TriggerNotification] = []
        var revivesSilence = false
        for trigger in try table.triggers(on: stream.id, of: feed.id) {
            var trigger = trigger
            if trigger.condition.kind == .frozen, trigger.isSpent || previous.updated == nil {
                revivesSilence = true
                trigger.isSpent = false
                try table.save(trigger)
            }
            guard trigger.owner == feed.owner || !feed.isPrivate, let current, trigger.mayFire(at: now),
                trigger.condition.isMet(by: current.value, after: previous.currentValue, wasFrozen: wasFrozen)
            else { continue }
            trigger.notified = now
            try table.save(trigger)
            notifications.append(TriggerNotification(trigger: trigger, feed: feed, stream: stream, at: now))
        }
        return (notifications, revivesSilence)
    }

    /// Returns the notifications of datastreams that have been silent for 15 minutes.
    func silences() throws -> [TriggerNotification] {
        let table = TriggerTable(database: database)
        var notifications: [TriggerNotification] = []
        for trigger in try table.silent(since: now.adding(seconds: -FeedRecord.liveSeconds)) {
            guard let feed = try FeedTable(database: database).feed(trigger.feed),
                let stream = try DatastreamTable(database: database).datastream(trigger.datastream, of: feed.id)
            else { continue }
            var trigger = trigger
            trigger.isSpent = true
            let isTold = trigger.owner == feed.owner || !feed.isPrivate
            if isTold { trigger.notified = now }
            try table.save(trigger)
            if isTold {
                notifications.append(TriggerNotification(trigger: trigger, feed: feed, stream: stream, at: now))
            }
        }
        return notifications
    }
}
