internal import HeliumConcurrency
internal import HeliumCore

/// The connection's side of one scope: its deliveries, and functions that submit its change sets.
final class ScopeLink: Sendable {
    private let id: ScopeID
    private let core: ClientCore
    private let inbox: BoundedQueue<ScopeDelivery>

    init(id: ScopeID, core: ClientCore, inbox: BoundedQueue<ScopeDelivery>) {
        self.id = id
        self.core = core
        self.inbox = inbox
    }

    /// Returns the next delivery; `nil` after the last one.
    ///
    /// - Throws: `CancellationError`, after which no delivery is lost.
    func next() async throws -> ScopeDelivery? { try await inbox.next() }

    func makeChangesID() -> ChangesID { core.makeChangesID() }

    /// Submits a change set for sending.
    ///
    /// - Returns: The reason why it was rejected; `nil` if it was accepted.
    func submit(_ changes: OutgoingChanges) -> JetstreamError? { core.handle(.submit(id, changes)) }

    /// Confirms that a state was applied. Change sets that were submitted before and are not among `unsent` are not
    /// sent.
    func stateApplied(unsent: [OutgoingChanges]) { core.handle(.stateApplied(id, unsent: unsent)) }

    /// Ends the deliveries.
    ///
    /// - Returns: The last change set that was sent.
    @discardableResult
    func abandon() -> ChangesID? { core.abandon(id) }

    /// Notes whether the scope holds back its deliveries, which then wait here.
    func setPaused(_ isPaused: Bool) { core.setPaused(isPaused, id) }

    /// The time since an arbitrary start.
    var uptime: Duration { core.clock.uptime }
}
