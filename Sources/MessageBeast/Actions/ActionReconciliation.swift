internal import AppNet
internal import GRDB

/// Compares an action channel with the service at intervals (Docs/Protocols/MessageBeast.md §3.7).
struct ActionReconciliation: Sendable {
    let context: EngineContext
    let channel: AppNetChannel.ID

    /// Compares the channel after a fetch if it is an action channel whose last comparison is old enough.
    ///
    /// The caller holds the channel's lock. A failed comparison is repeated after the next fetch; the error does not
    /// fail the current fetch.
    func runIfDue(after outcome: FetchOutcome) async {
        guard case .fetched = outcome, (try? await isDue()) == true else { return }
        _ = try? await Reconciliation(context: context, channel: channel).run()
    }

    private func isDue() async throws -> Bool {
        let (id, now) = (channel.text, context.now)
        let interval = context.options.actionReconciliationInterval
        return try await context.read { database in
            guard let record = try ChannelTable(database: database).channel(id), record.kind == .action else {
                return false
            }
            guard let last = record.lastReconciled else { return true }
            // If the clock was set back, the comparison is due, so that it does not stop.
            return now < last || last + interval <= now
        }
    }
}
