internal import GRDB
internal import HeliumServerKit

/// Finds the triggers that fire, inside of the transaction that causes it, and records that they fired.
struct TriggerWatch {
    let database: Database
    let keys: CachedKeys
    let rules: AccessRules
    let now: ServerInstant

    /// The author of triggers on a datastream. Its rights are decided once, however many of its triggers fire.
    private struct Reader: Hashable {
        let author: TriggerAuthor
        let owner: String
        let stream: Int64
    }

    /// The objects that a reader may see.
    private struct View {
        let stream: Granted<DatastreamRecord>
        let feed: Granted<FeedRecord>?
    }

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
        var views: [Reader: View?] = [:]
        var revivesSilence = false
        for trigger in try table.triggers(on: stream.id, of: feed.id) {
            var trigger = trigger
            if trigger.condition.kind == .frozen, trigger.isSpent || previous.updated == nil {
                revivesSilence = true
                trigger.isSpent = false
                try table.update(trigger)
            }
            guard let current, trigger.mayFire(at: now),
                trigger.condition.isMet(by: current.value, after: previous.currentValue, wasFrozen: wasFrozen),
                let notification = try notification(of: trigger, stream, feed, &views)
            else { continue }
            trigger.notified = now
            try table.update(trigger)
            notifications.append(notification)
        }
        return (notifications, revivesSilence)
    }

    /// Returns the notification of a trigger that fires; `nil` if the key that wrote the trigger no longer gives access
    /// to the datastream, because it was deleted or changed or has expired, or because the feed is private now.
    private func notification(
        of trigger: TriggerRecord,
        _ stream: DatastreamRecord,
        _ feed: FeedRecord,
        _ views: inout [Reader: View?]
    ) throws -> TriggerNotification? {
        let reader = Reader(author: trigger.author, owner: trigger.owner, stream: stream.number)
        let view: View?
        if let known = views[reader] {
            view = known
        } else {
            view = try self.view(of: reader, stream, feed)
            views[reader] = .some(view)
        }
        return view.map { TriggerNotification(trigger: trigger, stream: $0.stream, feed: $0.feed, at: now) }
    }

    /// Returns whether a notification that was queued may still be sent: its trigger exists and has the same target, and
    /// the trigger's key still gives access to the datastream.
    func isCurrent(_ notification: TriggerNotification) throws -> Bool {
        let old = notification.trigger
        guard let trigger = try TriggerTable(database: database).trigger(old.id), trigger.owner == old.owner,
            trigger.url == old.url, trigger.feed == old.feed, trigger.datastream == old.datastream,
            let feed = try FeedTable(database: database).feed(trigger.feed),
            let stream = try DatastreamTable(database: database).datastream(trigger.datastream, of: feed.id),
            stream.number == notification.stream.number
        else { return false }
        let reader = Reader(author: trigger.author, owner: trigger.owner, stream: stream.number)
        guard let view = try view(of: reader, stream, feed) else { return false }
        // A notification with the feed is not sent if only the datastream may be read now.
        return notification.feed == nil || view.feed != nil
    }

    private func view(of reader: Reader, _ stream: DatastreamRecord, _ feed: FeedRecord) throws -> View? {
        guard let secret = reader.author.key else {
            guard let granted = rules.grantToTriggerWithoutKey(stream, of: feed) else { return nil }
            return View(stream: granted, feed: rules.grantToTriggerWithoutKey(feed))
        }
        guard let key = try keys.key(secret), key.owner == reader.owner else { return nil }
        let use = KeyUse(
            key: key,
            method: .get,
            address: reader.author.address ?? "",
            referer: reader.author.referer,
            now: now,
            rules: rules
        )
        guard let granted = try? use.grant(stream, of: feed) else { return nil }
        return View(stream: granted, feed: try? use.grant(feed))
    }

    /// Returns the notifications of datastreams that have been silent for 15 minutes.
    func silences() throws -> [TriggerNotification] {
        let table = TriggerTable(database: database)
        var notifications: [TriggerNotification] = []
        var views: [Reader: View?] = [:]
        for trigger in try table.silent(since: now.adding(seconds: -FeedRecord.liveSeconds)) {
            guard let feed = try FeedTable(database: database).feed(trigger.feed),
                let stream = try DatastreamTable(database: database).datastream(trigger.datastream, of: feed.id)
            else { continue }
            var trigger = trigger
            trigger.isSpent = true
            let notification = try notification(of: trigger, stream, feed, &views)
            if notification != nil { trigger.notified = now }
            try table.update(trigger)
            if let notification { notifications.append(notification) }
        }
        return notifications
    }
}
