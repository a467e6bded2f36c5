internal import GRDB
internal import HeliumDatabase
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging

extension CosmState {
    /// Notifies the observers of a committed write: subscribers and receivers of triggers. It runs before the next
    /// write.
    func publish(_ answer: CosmResponse, _ database: Database, _ now: ServerInstant) {
        if answer.wakesSilenceTimer || answer.effect.revivesSilence { silence.wake() }
        if answer.effect.leavesPoints { removal.wake() }
        publish(answer.effect, database, now)
    }

    /// Notifies the observers of a change that no request made.
    func publish(_ effect: WriteEffect, _ database: Database, _ now: ServerInstant) {
        guard !effect.isEmpty else { return }
        subscriptions.end(effect.ended)
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
        let push = FeedPush(feed, keys: CachedKeys(database, store.keyCache), rules: rules, now: now) {
            try DatastreamTable(database: database).datastream($0, of: id)
        } document: {
            try self.document(of: $0, database, now)
        }
        try subscriptions.push(to: id, changed: changed) { subscription in
            try push.document(
                for: FeedPush.Reader(
                    key: subscription.key,
                    address: subscription.address,
                    datastream: subscription.datastream
                )
            )
        }
    }

    /// The maximum size of a pushed document. It fits into the queue of a client beside replies, so that a client that
    /// reads is not disconnected.
    private var pushBytes: Int { min(configuration.maxima.answerBytes, configuration.maxima.liveQueueBytes / 4 * 3) }

    /// Returns the document that REST would return now, without history (Docs/Protocols/Cosm.md §14.3).
    ///
    /// A feed that is too large loses its datastreams, and then its texts, as in a list (``FeedPage``).
    private func document(of target: FeedPush.Target, _ database: Database, _ now: ServerInstant) throws -> [UInt8] {
        let text = DocumentText(context: ownContext(now))
        switch target {
        case .datastream(let stream, let feed):
            return try text.bytes(of: .datastream(DatastreamDocument(stream), of: feed), .json)
        case .feed(let feed):
            var document = FeedDocument(feed)
            if feed.object.location.isMobile {
                let waypoints = try FeedTable(database: database).waypoints(
                    of: feed.object.id,
                    from: now.adding(seconds: -86_400),
                    through: now,
                    limit: HistoryQuery.maximumLimit
                )
                document.waypoints = HistoryLimit(feed.minimumInterval).sampled(waypoints, through: now)
            }
            let track = AnswerSize.of(document.waypoints)
            if track > pushBytes / 2 { document.waypoints = [] }
            var page = FeedPage(count: 1, maximumBytes: pushBytes - min(track, pushBytes / 2))
            let capacity = page.datastreamCapacity
            let streams = try DatastreamTable(database: database).datastreams(
                of: feed.object.id,
                limit: capacity + 1
            )
            if streams.count <= capacity {
                document.datastreams = streams.compactMap { feed.part($0).map { DatastreamDocument($0) } }
            }
            page.append(document)
            return try text.bytes(of: .feed(page.documents.first ?? document), .json)
        }
    }

    /// Returns whether a queued notification may still be sent. A notification that cannot be checked is not sent.
    func isCurrent(_ notification: TriggerNotification) async -> Bool {
        let now = now()
        do {
            return try await store.read { [rules] database in
                // The cache of keys is for the connection that writes.
                let keys = CachedKeys(reading: KeyTable(database: database).key)
                return try TriggerWatch(database: database, keys: keys, rules: rules, now: now).isCurrent(notification)
            }
        } catch {
            logger.error("A notification could not be checked", metadata: ["error": "\(StoreFault.text(of: error))"])
            return false
        }
    }

    /// Deletes a portion of the points of deleted datastreams. Returns the delay until the next one; `nil` if no points
    /// remain.
    func removePoints() async -> Duration? {
        do {
            let remain = try await store.access.write { try PointRemoval(database: $0).proceed() }
            return remain ? .zero : nil
        } catch {
            logger.error("Points could not be deleted", metadata: ["error": "\(StoreFault.text(of: error))"])
            return .seconds(60)
        }
    }

    /// Fires the triggers whose datastreams have been silent for long enough. Returns the delay until the next one is
    /// due; `nil` if there is none.
    func fireSilences() async -> Duration? {
        let now = now()
        do {
            return try await store.write { [rules, store] database -> (WriteEffect, Duration?) in
                let notifications = try TriggerWatch(
                    database: database,
                    keys: CachedKeys(database, store.keyCache),
                    rules: rules,
                    now: now
                ).silences()
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
