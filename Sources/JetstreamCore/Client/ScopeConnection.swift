internal import HeliumConcurrency
internal import HeliumCore
public import HeliumJSON

// MARK: With an actor

extension JetstreamClient {
    /// Fetches a scope of models and keeps it synchronized with the server in the caller's isolation.
    ///
    /// Returns when the first state has been applied. From then on, changes from the server are applied on the caller's
    /// actor. Changes of the models are sent ``Scope/changeInterval`` after the first of a batch. This ends when the
    /// client is closed or the scope is deinitialized. Pending change sets are then settled; those that were sent are
    /// settled as `ChangeSet.State.maybeSent`. The actor and the scope are held weakly, so that an actor that owns its
    /// scope can be released.
    ///
    /// - Parameters:
    ///   - scope: A scope with a root that is not fetched yet. Only one scope with a given name is fetched at a time;
    ///     another one can be fetched after the first is deinitialized. The original server then sends each change
    ///     twice, which has no further effect.
    ///   - parameters: Parameters for the server's application. Default: empty.
    ///   - isolation: The actor in which the models live. Without an actor, use ``connection(to:parameters:)``.
    /// - Throws: ``JetstreamError``: `fetchRefused`, `invalidScope`, and the errors that end the client;
    ///   `CancellationError`.
    public func fetch(
        _ scope: Scope,
        parameters: JSONObject = [:],
        isolation: isolated any Actor = #isolation
    ) async throws {
        let lease = try lease(for: scope, parameters: parameters)
        let timer = FlushTimer(scope, clock: core.clock, isolation: isolation)
        let attachment = scope.attach(lease.hooks { timer.batchBegan() })
        let (link, first) = (lease.link, Signal<Void>())
        let bound = ActorBound(scope, isolation: isolation)
        Task {
            // Neither the actor nor the scope is retained while the task waits, so that both can be released.
            while let delivery = try? await link.next() {
                guard await deliver(delivery, to: bound, attachment) else { break }
                switch delivery {
                case .state: first.settle()
                case .ended(let error): first.settle(.failure(error))
                case .sync, .settled: break
                }
            }
            first.settle(.failure(JetstreamError(.invalidScope, "the scope was deallocated", delivery: .notSent)))
        }
        do {
            try await first.value()
        } catch {
            scope.detachSession(attachment)
            throw error
        }
    }
}

/// Passes a delivery to a scope on its actor, after the end of a pause.
///
/// - Returns: `false` if the scope was released or left the connection with this number.
private func deliver(_ delivery: ScopeDelivery, to scope: ActorBound<Scope>, _ attachment: Int) async -> Bool {
    while true {
        switch await scope.run({ $0.take(delivery, by: attachment) }) {
        case .received?: return true
        case .paused(let end)?: try? await end.value()
        case .detached?, nil: return false
        }
    }
}

// MARK: Without an actor

extension JetstreamClient {
    /// Fetches a scope of models for code without an actor, which calls a function for each step.
    ///
    /// ```swift
    /// let connection = try client.connection(to: scope)
    /// while try await connection.next() { print(canvas.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - scope: A scope with a root that is not fetched yet. Only one scope with a given name is fetched at a time;
    ///     another one can be fetched after the first is deinitialized. The original server then sends each change
    ///     twice, which has no further effect.
    ///   - parameters: Parameters for the server's application. Default: empty.
    /// - Throws: ``JetstreamError`` of kind `invalidScope`.
    public func connection(
        to scope: Scope,
        parameters: JSONObject = [:]
    ) throws(JetstreamError) -> ScopeConnection {
        ScopeConnection(scope: scope, lease: try lease(for: scope, parameters: parameters))
    }

    private func lease(for scope: Scope, parameters: JSONObject) throws(JetstreamError) -> ScopeLease {
        guard !scope.isAttached, scope.root != nil else {
            let message = scope.isAttached ? "the scope is already fetched" : "the scope has no root"
            throw JetstreamError(.invalidScope, message, delivery: .notSent)
        }
        scope.clientMaximum = options.maximumPendingChanges
        return ScopeLease(link: core.fetch(scope.name, parameters: parameters))
    }
}

/// A fetched scope that is synchronized step by step.
///
/// When the connection is deinitialized, the scope is abandoned: change sets that were sent without a reply end as
/// `ChangeSet.State.maybeSent`, and unsent ones wait for another connection of the scope.
public final class ScopeConnection {
    /// The scope.
    public let scope: Scope
    private let lease: ScopeLease
    private let attachment: Int

    init(scope: Scope, lease: ScopeLease) {
        self.scope = scope
        self.lease = lease
        attachment = scope.attach(lease.hooks {})
    }

    deinit { scope.detachSession(attachment) }

    /// Waits for the next message for the scope and applies it. The first message is the state.
    ///
    /// - Returns: `false` after the client was closed.
    /// - Throws: ``JetstreamError`` if the fetch was rejected or the client failed; `CancellationError`, after which no
    ///   message is lost.
    public nonisolated(nonsending) func next() async throws -> Bool {
        if let end = scope.endOfPause { try await end.value() }
        guard let delivery = try await lease.link.next() else { return false }
        scope.receive(delivery)
        guard case .ended(let error) = delivery else { return true }
        if error.kind == .clientClosed { return false }
        throw error
    }

    /// Sends the changes since the last call. `Scope.modify` sends at once, including throttled values.
    ///
    /// - Returns: The time until values of properties with a minimum sync interval are due, which are held back until
    ///   then. Call this again after that time. `nil` if no values are held back.
    @discardableResult
    public func flush() -> Duration? {
        let now = lease.link.uptime
        scope.flush(at: now)
        return scope.nextDeadline.map { max($0 - now, .zero) }
    }
}

// MARK: Shared

/// The scope's ownership of its deliveries, which end when the scope is released.
final class ScopeLease {
    let link: ScopeLink

    init(link: ScopeLink) { self.link = link }

    deinit { link.abandon() }

    /// Returns the session's side of the scope, which owns the lease.
    func hooks(batchBegan: @escaping () -> Void) -> ScopeHooks { ScopeHooks(self, batchBegan: batchBegan) }
}

extension ScopeLease: ScopeSender {
    func makeChangesID() -> ChangesID { link.makeChangesID() }

    func submit(_ changes: OutgoingChanges) -> JetstreamError? { link.submit(changes) }

    func stateApplied(unsent: [OutgoingChanges]) { link.stateApplied(unsent: unsent) }

    func abandon() -> ChangesID? { link.abandon() }

    func setPaused(_ isPaused: Bool) { link.setPaused(isPaused) }

    var uptime: Duration { link.uptime }
}

extension Scope {
    fileprivate enum Reception: Sendable {
        case received
        case paused(until: Signal<Void>)
        case detached
    }

    /// Applies a delivery of the connection with a number, unless the scope is paused or was detached from it.
    fileprivate func take(_ delivery: ScopeDelivery, by attachment: Int) -> Reception {
        if let endOfPause { return .paused(until: endOfPause) }
        guard isAttached(by: attachment) else { return .detached }
        receive(delivery)
        return .received
    }

    /// A signal that is settled when the pause ends or the scope is released; `nil` if the scope is not paused.
    fileprivate var endOfPause: Signal<Void>? {
        guard isPaused else { return nil }
        let end = EndOfPause()
        whenResumed { _ in end.signal.settle() }
        return end.signal
    }
}

/// The owner of a signal, which is settled at the latest when its owner is released.
private final class EndOfPause {
    let signal = Signal<Void>()

    deinit { signal.settle() }
}
