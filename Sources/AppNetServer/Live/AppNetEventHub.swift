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
    let endedTokens = EndedIDs()
    private let lastNumber = Guarded(0)

    /// - Parameter sharePerAddress: The part of the user streams that one address may have.
    init(random: RandomSource, sharePerAddress: Double = ServerLimits().sharePerAddress) {
        var limits = UserStream.Limits()
        limits.streamsOfAddress = AddressShare(of: limits.allStreams, part: sharePerAddress).maximum
        userStreams = UserStreams(limits: limits, faults: faults, random: random)
        appStreams = AppStreams(faults: faults)
    }

    /// Returns the place of a request in the order of all requests for streams. Call it before the request is answered.
    func nextNumber() -> Int {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    /// Makes the changes of a write. Runs after the commit and before the next write.
    func publish(_ effects: AppNetEffects, state: AppNetState, database: Database) {
        for id in effects.endedStreams { appStreams.end(id) }
        let ended = effects.events.filter { $0.kind == .token && $0.isDeleted }.map(\.object)
        endedTokens.insert(ended)
        // A deleted token's streams are deleted after they were notified, also if another stream could not be.
        defer { for token in ended { endStreams(of: token) } }
        defer {
            for (message, stream) in effects.messages { appStreams.send(message, to: stream, at: state.microseconds) }
        }
        guard !effects.events.isEmpty else { return }
        var failure: (any Error)?
        // A stream whose message cannot be made does not keep the event from the others.
        func attempt(_ publish: () throws -> Void) {
            do { try publish() } catch { failure = failure ?? error }
        }
        let watched = userStreams.snapshot(at: state.microseconds)
        var records: [AppStreamRecord] = []
        attempt { records = try AppStreamTable(database: database).all() }
        for event in effects.events {
            for stream in watched {
                attempt { try UserStreamPublisher(stream: stream, state: state, database: database).publish(event) }
            }
            let told = records.filter { $0.objectTypes.contains(event.kind.rawValue) }
            for publisher in AppStreamPublisher.all(for: told, state: state, database: database) {
                attempt { try publisher.publish(event) }
            }
        }
        guard let failure else { return }
        state.logger.error(
            "An event could not be sent to the streams",
            metadata: ["error": "\(StoreFault.text(of: failure))"]
        )
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
