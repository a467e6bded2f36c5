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
    private let lastNumber = Guarded(0)

    init(random: RandomSource) {
        userStreams = UserStreams(faults: faults, random: random)
        appStreams = AppStreams(faults: faults)
    }

    /// Returns the place of a request in the order of all requests for streams. Call it before the request is answered.
    func nextNumber() -> Int {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    /// Publishes events to the streams. Runs after the commit and before the next write.
    func publish(_ events: [AppNetEvent], state: AppNetState, database: Database) {
        guard !events.isEmpty else { return }
        do {
            let watched = userStreams.snapshot(at: state.microseconds)
            let records = try AppStreamTable(database: database).all()
            for event in events {
                for stream in watched {
                    try UserStreamPublisher(stream: stream, state: state, database: database).publish(event)
                }
                for record in records where record.objectTypes.contains(event.kind.rawValue) {
                    try AppStreamPublisher(record: record, state: state, database: database).publish(event)
                }
                // A deleted token's streams are deleted after they were notified.
                if event.kind == .token, event.isDeleted { userStreams.deleteAll { $0.token == event.object } }
            }
        } catch {
            state.logger.error("An event could not be sent to the streams", metadata: ["error": "\(error)"])
        }
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
