internal import HeliumConcurrency
internal import HeliumCore
internal import Observation
internal import Synchronization

// The subscription of a model: an updater opens it and reads its updates, and the model applies them.

extension EntityHolder where Self: CosmSubscribable, Entity: LiveValue {
    /// A function that opens a subscription of the model.
    typealias Subscribe = @Sendable (Self) async throws -> LiveSubscription<Entity>

    /// A function that reads the current document of a model.
    typealias Read = @Sendable (Self) async throws -> Entity

    func readIsSubscribed() -> Bool {
        core.registrar.access(self, keyPath: \.isSubscribed)
        return core.state.withLock { $0.updater }?.isConfirmed == true
    }

    /// Subscribes if the model is not subscribed, and returns once the server has confirmed the subscription.
    ///
    /// - Parameters:
    ///   - subscribe: Opens the subscription.
    ///   - read: Reads the current document, for updates that may be older than what the model knows.
    func keepUpdated(_ subscribe: @escaping Subscribe, read: @escaping Read) async throws {
        let updater = core.state.withLock { state in
            if let present = state.updater, !present.isEnded {
                present.join()
                return present
            }
            let new = ModelUpdater()
            new.join()
            // It starts under the lock, so that callers that find the updater can wait for it. The task retains the
            // model until the server has responded.
            new.begin { [weak self, weak new] in
                guard let self, let new else { throw CancellationError() }
                try await self.open(new, subscribe, read)
            }
            state.updater = new
            return new
        }
        do {
            try await updater.confirmation()
            core.state.withLock { _ in _ = updater.leave(isSatisfied: true) }
        } catch {
            // This happens under one lock, so that no caller joins an updater that is about to end.
            let isUnwanted = core.state.withLock { state in
                guard updater.leave(isSatisfied: false) else { return false }
                if state.updater === updater { state.updater = nil }
                return true
            }
            if isUnwanted { await close(updater) }
            throw error
        }
    }

    /// Ends the subscription and returns once it has ended.
    func stopUpdates() async {
        let updater = core.state.withLock { $0.updater.take() }
        if let updater { await close(updater) }
    }

    private func close(_ updater: ModelUpdater) async {
        if await updater.close() { sendEnd(error: nil) }
    }

    private func open(_ updater: ModelUpdater, _ subscribe: Subscribe, _ read: @escaping Read) async throws {
        do {
            let subscription = try await subscribe(self)
            let isWanted = updater.confirm {
                await subscription.unsubscribe()
            } read: { [weak self, weak updater] in
                // Neither is retained while no update arrives. Releasing the updater ends the reading.
                await Self.follow(subscription, for: { [weak self] in self }, read) { [weak updater] in updater }
            }
            guard isWanted else { throw CancellationError() }
            core.events.send(ModelEvent(.subscribed))
            core.registrar.withMutation(of: self, keyPath: \.isSubscribed) {}
        } catch {
            ended(updater, error: error)
            throw error
        }
    }

    private static func follow(
        _ subscription: LiveSubscription<Entity>,
        for model: @Sendable () -> Self?,
        _ read: @escaping Read,
        _ updater: @Sendable () -> ModelUpdater?
    ) async {
        do {
            for try await update in subscription {
                // The model is retained only during an update, so that an unused model can be released.
                guard let model = model() else { return }
                await model.take(update, updater(), read)
            }
            model()?.ended(updater(), error: nil)
        } catch {
            model()?.ended(updater(), error: error)
        }
    }

    /// Applies an update. If it may be older than what the model knows, the current document is read and applied
    /// instead: a push can be under way while a save or a fetch is answered.
    ///
    /// The updates that follow are most often older than that document, so they are not applied and cause no reads.
    /// If no other update follows within ``doubtLimit``, the document is read again.
    private func take(_ update: LiveUpdate<Entity>, _ updater: ModelUpdater?, _ read: @escaping Read) async {
        guard let updater else { return }
        let pushed = DocumentContext(pushedAs: .updated)
        guard doubts(update.value) else {
            updater.endDoubt()
            return apply(update.value, pushed, of: update, updater)
        }
        if update.followsGap { updater.noteGap() }
        // The current document follows the datapoints of an outage.
        if update.origin == .history { return }
        guard updater.beginDoubt() else {
            return updater.check(after: Self.doubtLimit, on: clock) { [weak self, weak updater] in
                guard let self, let updater else { return }
                let asked = DocumentContext(parameters: [:], kind: .updated)
                let document = try? await read(self)
                if updater.isEnded { return }
                self.apply(document ?? update.value, document == nil ? pushed : asked, of: update, updater)
            }
        }
        let asked = DocumentContext(parameters: [:], kind: .updated)
        let (document, isEnded) = await updater.perform { try await read(self) }
        if let document {
            apply(document, asked, of: update, updater)
        } else if !isEnded {
            // It is the newest state that is known.
            apply(update.value, pushed, of: update, updater)
        }
    }

    /// The time within which updates that were under way when a document was read are expected to arrive.
    private static var doubtLimit: Duration { .seconds(1) }

    private var clock: any HeliumClock { (try? core.scope.api())?.environment.clock ?? SystemClock() }

    private func apply(
        _ document: Entity,
        _ context: DocumentContext,
        of update: LiveUpdate<Entity>,
        _ updater: ModelUpdater
    ) {
        var changes = absorb(document, context)
        agree(update.value, with: document, askedAt: context.askedAt)
        changes.origin = update.origin
        changes.followsGap = updater.takeGap() || update.followsGap
        core.events.send(ModelEvent(.updated, changes: changes))
    }

    /// Notes that a subscription has ended on its own.
    private func ended(_ updater: ModelUpdater?, error: (any Error)?) {
        guard let updater, updater.end() else { return }
        core.state.withLock { state in
            if state.updater === updater { state.updater = nil }
        }
        sendEnd(error: error)
    }

    private func sendEnd(error: (any Error)?) {
        core.events.send(ModelEvent(.unsubscribed, error: error))
        core.registrar.withMutation(of: self, keyPath: \.isSubscribed) {}
    }
}
