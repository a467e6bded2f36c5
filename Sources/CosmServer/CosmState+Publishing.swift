internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging

extension CosmState {
    /// Notifies the observers of a committed write: subscribers and receivers of triggers. It runs before the next
    /// write.
    func publish(_ answer: CosmResponse, _ database: Database, _ now: ServerInstant) {
        if answer.wakesSilenceTimer || answer.effect.revivesSilence { silence.wake() }
        publish(answer.effect, database, now)
    }

    /// Notifies the observers of a change that no request made.
    func publish(_ effect: WriteEffect, _ database: Database, _ now: ServerInstant) {
        guard !effect.isEmpty else { return }
        for ended in effect.ended { subscriptions.end(ended) }
        dispatcher.send(effect.notifications)
        guard let id = effect.feed, subscriptions.isWatched(id) else { return }
        do {
            try push(id, effect.datastreams, database, now)
        } catch {
            logger.error("A push failed", metadata: ["feed": "\(id)", "error": "\(StoreFault.text(of: error))"])
        }
    }

    private func push(_ id: Int, _ changed: [String], _ database: Database, _ now: ServerInstant) throws {
        guard let feed = try FeedTable(database: database).feed(id) else { return }
        let keys = KeyTable(database: database)
        // A deleted or expired key ends the pushes of its subscriptions.
        try subscriptions.push(to: id, changed: changed) { subscription in
            guard let key = try? keys.key(subscription.key) else { return false }
            let question = AccessQuestion(
                method: .get,
                target: .part(subscription.datastream, of: feed),
                address: subscription.address
            )
            return rules.verdict(on: question, for: key, at: now).isGranted
        } document: { datastream in
            try self.document(of: feed, datastream, database, now)
        }
    }

    /// Returns the document that REST would return now, without history (Docs/Protocols/Cosm.md §14.3).
    private func document(
        of feed: FeedRecord,
        _ datastream: String?,
        _ database: Database,
        _ now: ServerInstant
    ) throws -> [UInt8]? {
        let table = DatastreamTable(database: database)
        let text = DocumentText(context: ownContext(now))
        if let datastream {
            guard let stream = try table.datastream(datastream, of: feed.id) else { return nil }
            return try text.bytes(of: .datastream(DatastreamDocument(stream: stream), of: feed), .json)
        }
        var document = FeedDocument(feed: feed)
        document.datastreams = try table.datastreams(of: feed.id).map { DatastreamDocument(stream: $0) }
        if feed.location.isMobile {
            document.waypoints = try FeedTable(database: database).waypoints(
                of: feed.id,
                from: now.adding(seconds: -86_400),
                through: now,
                limit: HistoryQuery.maximumLimit
            )
        }
        return try text.bytes(of: .feed(document), .json)
    }

    /// Fires the triggers whose datastreams have been silent for long enough. Returns the delay until the next one is
    /// due; `nil` if there is none.
    func fireSilences() async -> Duration? {
        let now = now()
        do {
            return try await store.write { database -> (WriteEffect, Duration?) in
                let notifications = try TriggerWatch(database: database, now: now).silences()
                let next = try TriggerTable(database: database).earliestSilence().map { start in
                    let end = start.adding(seconds: FeedRecord.liveSeconds)
                    // A millisecond is added, so that rounding does not wake it too early.
                    return Duration.microseconds(max(0, end.microseconds - now.microseconds)) + .milliseconds(1)
                }
                return (WriteEffect(notifications: notifications), next)
            } publish: { [self] result, database in
                publish(result.0, database, now)
            }.1
        } catch {
            logger.error("Looking for silent datastreams failed", metadata: ["error": "\(StoreFault.text(of: error))"])
            return .seconds(60)
        }
    }
}
