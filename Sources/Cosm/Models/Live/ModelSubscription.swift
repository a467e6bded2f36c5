internal import HeliumConcurrency
internal import HeliumCore
internal import Observation
internal import Synchronization

/// A model's subscription, from the wish for it to its end. Who forgets it ends it.
final class ModelSubscription: Sendable {
    private struct State: Sendable {
        var opening: Task<Void, any Error>?
        var reading: Task<Void, Never>?
        var close: (@Sendable () async -> Void)?
        var isEnded = false
        /// Those who wait for the confirmation.
        var waiting = 0
        /// Somebody was told of the confirmation, and relies on it.
        var isWanted = false
    }

    private let state = Guarded(State())

    deinit {
        state.withLock { state in
            state.opening?.cancel()
            state.reading?.cancel()
        }
    }

    /// Whether the server has confirmed it.
    var isConfirmed: Bool { state.withLock { $0.reading != nil && !$0.isEnded } }

    /// Whether it is over.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Begins, with what returns when the server has confirmed.
    func begin(_ open: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.opening = Task { try await open() } }
    }

    /// How many wait for the confirmation.
    var waiterCount: Int { state.withLock { $0.waiting } }

    /// One more waits for the confirmation. Called under the model's lock, as ``leave(isSatisfied:)`` is: nobody joins what
    /// somebody else is about to end.
    func join() { state.withLock { $0.waiting += 1 } }

    /// One waits no more.
    ///
    /// - Parameter isSatisfied: Whether the server has confirmed.
    /// - Returns: Whether nobody wants the subscription any more.
    func leave(isSatisfied: Bool) -> Bool {
        state.withLock { state in
            state.waiting -= 1
            if isSatisfied { state.isWanted = true }
            return state.waiting == 0 && !state.isWanted
        }
    }

    /// Waits for the server's confirmation, unless the calling task is cancelled.
    func confirmation() async throws {
        guard let opening = state.withLock({ $0.opening }) else { return }
        try await Deadline(after: nil, clock: SystemClock()).race { try await opening.value }
    }

    /// Notes the confirmation.
    ///
    /// - Parameters:
    ///   - close: Ends the updates, and returns when the server knows.
    ///   - read: Takes the updates, to their end.
    /// - Returns: Whether it is still wanted.
    func confirm(
        close: @escaping @Sendable () async -> Void,
        read: @escaping @Sendable () async -> Void
    ) -> Bool {
        state.withLock { state in
            if state.isEnded { return false }
            state.close = close
            state.reading = Task { await read() }
            return true
        }
    }

    /// Notes an end that came by itself.
    ///
    /// - Returns: Whether it had not ended before.
    func end() -> Bool {
        state.withLock { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
    }

    /// Ends it, and returns when no update comes any more.
    ///
    /// - Returns: Whether it had not ended before.
    func close() async -> Bool {
        guard end() else { return false }
        let (opening, reading, close) = state.withLock { ($0.opening, $0.reading, $0.close) }
        opening?.cancel()
        _ = await opening?.result
        await close?()
        await reading?.value
        return true
    }
}

/// A model by how it gets live updates.
protocol LiveModel: ListedModel, SubscribableModel where Entity: LiveValue {
    /// Subscribes; returns when the server has confirmed.
    ///
    /// - Throws: ``IncompleteModel``; what the live socket throws.
    func openUpdates(_ options: SubscriptionOptions) async throws -> LiveSubscription<Entity>
}

extension LiveModel {
    func readIsSubscribed() -> Bool {
        core.registrar.access(self, keyPath: \.isSubscribed)
        return core.state.withLock { $0.subscription }?.isConfirmed == true
    }

    func subscribeOnce(_ options: SubscriptionOptions) async throws {
        let subscription = core.state.withLock { state in
            if let present = state.subscription, !present.isEnded {
                present.join()
                return present
            }
            let new = ModelSubscription()
            new.join()
            // Under the lock: who finds it finds what to wait for. It holds the model until the server has answered.
            new.begin { [weak self, weak new] in
                guard let self, let new else { throw CancellationError() }
                try await self.open(new, options)
            }
            state.subscription = new
            return new
        }
        do {
            try await subscription.confirmation()
            core.state.withLock { _ in _ = subscription.leave(isSatisfied: true) }
        } catch {
            // The last who asked for it wants it no more. Under one lock: nobody joins what is about to end.
            let isUnwanted = core.state.withLock { state in
                guard subscription.leave(isSatisfied: false) else { return false }
                if state.subscription === subscription { state.subscription = nil }
                return true
            }
            if isUnwanted { await close(subscription) }
            throw error
        }
    }

    func endSubscription() async {
        if let subscription = core.state.withLock({ $0.subscription }) { await end(subscription) }
    }

    private func end(_ subscription: ModelSubscription) async {
        core.state.withLock { state in
            if state.subscription === subscription { state.subscription = nil }
        }
        await close(subscription)
    }

    private func close(_ subscription: ModelSubscription) async {
        if await subscription.close() { tellEnd(error: nil) }
    }

    private func open(_ subscription: ModelSubscription, _ options: SubscriptionOptions) async throws {
        do {
            let updates = try await openUpdates(options)
            let isWanted = subscription.confirm {
                await updates.unsubscribe()
            } read: { [weak self, weak subscription] in
                // Neither is held while nothing comes: the subscription ends the reading when it goes.
                await Self.read(updates, for: { [weak self] in self }) { [weak subscription] in subscription }
            }
            guard isWanted else { throw CancellationError() }
            core.events.send(ModelEvent(.subscribed))
            core.registrar.withMutation(of: self, keyPath: \.isSubscribed) {}
        } catch {
            ended(subscription, error: error)
            throw error
        }
    }

    private static func read(
        _ updates: LiveSubscription<Entity>,
        for model: @Sendable () -> Self?,
        _ subscription: @Sendable () -> ModelSubscription?
    ) async {
        do {
            for try await update in updates {
                // Held no longer than for one update: a model that nobody wants must be able to go.
                guard let model = model() else { return }
                model.take(update)
            }
            model()?.ended(subscription(), error: nil)
        } catch {
            model()?.ended(subscription(), error: error)
        }
    }

    private func take(_ update: LiveUpdate<Entity>) {
        let context = DocumentContext(pushedAs: .updated)
        var changes = absorb(update.value, context)
        changes.origin = ModelChanges.Origin(rawValue: update.origin.rawValue)
        changes.followsGap = update.followsGap
        core.events.send(ModelEvent(.updated, changes: changes))
    }

    /// A subscription has ended by itself.
    private func ended(_ subscription: ModelSubscription?, error: (any Error)?) {
        guard let subscription, subscription.end() else { return }
        core.state.withLock { state in
            if state.subscription === subscription { state.subscription = nil }
        }
        tellEnd(error: error)
    }

    private func tellEnd(error: (any Error)?) {
        core.events.send(ModelEvent(.unsubscribed, error: error))
        core.registrar.withMutation(of: self, keyPath: \.isSubscribed) {}
    }
}
