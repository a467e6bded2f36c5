internal import GRDB
internal import HeliumCore
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging

/// Where events of committed writes go: to user streams and app streams.
final class AppNetEventHub: Sendable {
    let faults = StreamFaults()
    let userStreams: UserStreams
    let appStreams: AppStreams

    init(random: RandomSource) {
        userStreams = UserStreams(faults: faults, random: random)
        appStreams = AppStreams(faults: faults)
    }

    /// Tells the streams. Runs after the commit and before the next write.
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
                // After they were told: a token that died takes its streams with it.
                if event.kind == .token, event.isDeleted { userStreams.deleteAll { $0.token == event.object } }
            }
        } catch {
            state.logger.error("An event could not be told to the streams", metadata: ["error": "\(error)"])
        }
    }

    /// Makes the subscription that a call with `connection_id` asks for (§2.14 item 3), inside of the call's
    /// transaction, so that no write comes between the answer and the subscription.
    func subscribe(_ context: AppNetContext, route: AppNetRoute, answer: inout AppNetAnswer) throws {
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

    /// Whether nothing is missing between the answer and the events that follow: no bound was given, or one that the
    /// answer reaches back to.
    private static func isCurrent(_ query: FormFields, _ answer: AppNetAnswer) throws -> Bool {
        guard try query.integer("count") ?? 0 >= 0, query["before_id"] == nil else { return false }
        return query["since_id"] == nil || answer.hasMore != true
    }
}
