internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// Passes the events of committed writes to user streams and app streams.
final class AppNetEventHub: Sendable {
    let faults = StreamFaults()
    let userStreams: UserStreams
    let appStreams: AppStreams
    let endedTokens: EndedIDs
    /// The filters of app streams.
    let filters = FilterCache()
    private let writes = WriteNumbers()
    private let backlog = StreamBacklog()
    private let lastNumber = Guarded(0)

    /// - Parameters:
    ///   - sharePerAddress: The part of the user streams that one address may have.
    ///   - maximumEnded: The maximum number of ended tokens, and of ended app streams, that are known.
    init(
        random: RandomSource,
        sharePerAddress: Double = ServerLimits().sharePerAddress,
        maximumEnded: Int = EndedIDs.maximum
    ) {
        endedTokens = EndedIDs(maximum: maximumEnded)
        var limits = UserStream.Limits()
        limits.streamsOfAddress = AddressShare(of: limits.allStreams, part: sharePerAddress).maximum
        userStreams = UserStreams(limits: limits, faults: faults, random: random, writes: writes)
        appStreams = AppStreams(
            faults: faults,
            ended: EndedIDs(maximum: maximumEnded),
            endedTokens: endedTokens,
            writes: writes
        )
    }

    /// Returns the place of a request in the order of all requests for streams. Call it before the request is answered.
    func nextNumber() -> Int {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    /// Makes the changes of a write. Runs after the commit and before the next write.
    ///
    /// The audiences of the first ``stepsBetweenWrites`` steps get the events at once, and a task publishes the rest, which later writes
    /// do not wait for. Each stream gets events in the order of commits all the same: while publications are incomplete,
    /// those of later writes wait behind them (``StreamBacklog``).
    func publish(_ effects: AppNetEffects, state: AppNetState, database: Database) {
        var forgetsEnds = false
        for id in effects.endedStreams where appStreams.end(id) { forgetsEnds = true }
        if effects.events.contains(where: \.mayLeaveRows) { state.removal.wake() }
        var publication = StreamPublication(effects, number: writes.next())
        if endedTokens.insert(publication.endedTokens) { forgetsEnds = true }
        if forgetsEnds, !backlog.isEmpty {
            // Those on their way could be for a token or a stream whose end was forgotten.
            backlog.removeAll()
            endAll(state)
        }
        guard !effects.isEmpty else { return }
        if backlog.isEmpty {
            var failure: (any Error)?
            let isComplete = publication.proceed(
                by: Self.stepsBetweenWrites,
                canExceed: false,
                state,
                database,
                failure: &failure
            )
            report(failure, state)
            if isComplete { return finish(publication) }
        }
        do {
            publication.newestAppStream = try AppStreamTable(database: database).newest()
        } catch {
            report(error, state)
        }
        // The consumers with an ended token do not wait for the notification of its end.
        for token in publication.endedTokens { appStreams.endAll(of: token) }
        switch backlog.append(publication) {
        case .wait: break
        case .process: Task { [self] in await processBacklog(state) }
        case .overflow: endAll(state)
        }
    }

    /// The maximum number of steps before the next write, and in one read of the store by the task that publishes the rest.
    static let stepsBetweenWrites = 32

    /// Publishes the backlog, a number of steps at a time, so that reads and writes of clients take turns with it. The
    /// objects have the state of the time when they are made.
    private func processBacklog(_ state: AppNetState) async {
        while let publication = backlog.first() {
            do {
                let (next, isComplete) = try await state.store.read { [self] database in
                    var (next, failure) = (publication, nil as (any Error)?)
                    let isComplete = next.proceed(
                        by: Self.stepsBetweenWrites,
                        canExceed: true,
                        state,
                        database,
                        failure: &failure
                    )
                    report(failure, state)
                    return (next, isComplete)
                }
                if backlog.update(next, isComplete: isComplete), isComplete { finish(next) }
            } catch {
                // The store cannot be read. The streams would have a gap.
                report(error, state)
                backlog.removeAll()
                endAll(state)
            }
        }
    }

    /// Deletes the streams of the tokens that a write ended, which were notified before.
    private func finish(_ publication: StreamPublication) {
        for token in publication.endedTokens where endedTokens.contains(token) { endStreams(of: token) }
    }

    /// Ends all streams, because events are lost. The clients connect again and read what they missed.
    private func endAll(_ state: AppNetState) {
        state.logger.warning("Streams were ended, because there were more events than could be sent")
        userStreams.deleteAll { _ in true }
        appStreams.endConsumers()
    }

    private func report(_ failure: (any Error)?, _ state: AppNetState) {
        guard let failure else { return }
        state.logger.error(
            "An event could not be sent to the streams",
            metadata: ["error": "\(StoreFault.text(of: failure))"]
        )
    }

    /// Returns whether a stream of a token may get an event. With an ended token, it only gets the notification of that.
    func mayGet(_ event: AppNetEvent, _ token: Int64) -> Bool {
        guard endedTokens.contains(token) else { return true }
        return event.kind == .token && event.isDeleted && event.object == token
    }

    private func endStreams(of token: Int64) {
        userStreams.deleteAll { $0.token == token }
        appStreams.endAll(of: token)
    }

    /// Ends the streams of a token that was deleted while one of them was opened.
    ///
    /// - Throws: ``AppNetFailure`` with 401 if the token was deleted.
    func checkIsCurrent(_ token: Int64) throws(AppNetFailure) {
        guard endedTokens.contains(token) else { return }
        endStreams(of: token)
        throw .revokedToken
    }

    /// Makes the subscription that a call with `connection_id` requests (Docs/Protocols/AppNet.md §2.14). Runs in the
    /// call's transaction, so that there is no write between the response and the subscription.
    func subscribe(_ context: AppNetContext, route: AppNetRoute, answer: inout AppNetResponse) throws {
        guard route.area == .api, let connection = context.parameters["connection_id"],
            let endpoint = try UserStreamEndpoint(context, route)
        else { return }
        guard try Self.isCurrent(context.parameters, answer) else { return }
        let id = try userStreams.subscribe(
            connection,
            token: try context.token().id,
            subscription: context.parameters["subscription_id"],
            endpoint: endpoint,
            filter: context.options,
            at: context.state.microseconds
        )
        answer.meta += [
            "subscription_id": .string(id), "subscription_ids": .array([.string(id)]),
            "connection_id": .string(connection),
        ]
    }

    /// Returns whether the response and the following events are complete. That is the case if no bound was given, or
    /// if the response contains all items up to the bound.
    private static func isCurrent(_ query: FormFields, _ answer: AppNetResponse) throws -> Bool {
        guard try query.integer("count") ?? 0 >= 0, query["before_id"] == nil else { return false }
        return query["since_id"] == nil || answer.hasMore != true
    }
}
