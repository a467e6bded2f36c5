internal import GRDB

/// Where events of committed writes go: to user streams and app streams.
final class AppNetEventHub: Sendable {
    /// Tells the streams. Runs after the commit and before the next write.
    func publish(_ events: [AppNetEvent], state: AppNetState, database: Database) {}

    /// Makes the subscription that a call with `connection_id` asks for (§2.14 item 3), inside of the call's
    /// transaction, so that no write comes between the answer and the subscription.
    func subscribe(_ call: AppNetCall, route: AppNetRoute, answer: inout AppNetAnswer) throws {}
}
