internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
internal import Synchronization

/// A scope fetched as plain values, with the events that change it.
///
/// ```swift
/// let scope = client.mirror("Canvas")
/// while let event = try await scope.next() {
///     if case .sync(let fragments) = event { print(fragments.count) }
/// }
/// ```
///
/// Only one task may read events at a time. While events are not read, reading from the server soon pauses.
public final class MirroredScope: Sendable {
    private struct State {
        var mirror = ScopeMirror()
        /// The unsettled change sets, in the order of submission.
        var pending: [OutgoingChanges] = []
        /// The error with which the scope ended; `nil` while it runs.
        var end: JetstreamError?
    }

    private let link: ScopeLink
    private let state = Guarded(State())

    init(link: ScopeLink) { self.link = link }

    deinit { link.abandon() }

    /// The tree after the events that were read.
    public var mirror: ScopeMirror { state.withLock { $0.mirror } }

    /// Returns the next event; `nil` after the client was closed.
    ///
    /// - Throws: ``JetstreamError`` if the fetch was rejected or the client failed; `CancellationError`, after which no
    ///   event is lost.
    public func next() async throws -> MirrorEvent? {
        if let last = try lastEvent() { return last }
        while let delivery = try await link.next() {
            switch delivery {
            case .state(let message, let sent):
                return apply(message, sent: Set(sent))
            case .sync(let received):
                // The reader of the event may keep some of the fragments.
                let fragments = received.map(\.withoutFrame)
                state.withLock { $0.mirror.apply(fragments) }
                return .sync(fragments)
            case .settled(let id, let outcome):
                if let event = settle(id, outcome) { return event }
            case .ended(let error):
                state.withLock { $0.end = error }
                return try lastEvent()
            }
        }
        return nil
    }

    /// Returns an event after the end: the outcome of a change set that the connection returned and that was never
    /// sent.
    private func lastEvent() throws(JetstreamError) -> MirrorEvent? {
        let (event, end) = state.withLock { state -> (MirrorEvent?, JetstreamError?) in
            guard var error = state.end, !state.pending.isEmpty else { return (nil, state.end) }
            error.delivery = .notSent
            return (.settled(MirroredChanges(id: state.pending.removeFirst().id), .failure(error)), nil)
        }
        if let end, end.kind != .clientClosed { throw end }
        return event
    }

    /// Sends a change set. Its outcome is delivered as an event, after which the mirror contains the changes.
    ///
    /// - Parameters:
    ///   - fragments: The changes. If empty, the outcome is delivered without a message to the server.
    ///   - isAtomic: Whether all fragments or none must be applied. Default: `false`.
    ///   - procedure: The procedure of the server that must accept the set, as `Model.procedure`. Default: `nil`.
    /// - Throws: ``JetstreamError``: `invalidChanges`, `ceilingExceeded`, `clientClosed`.
    @discardableResult
    public func submit(
        _ fragments: [SyncFragment],
        isAtomic: Bool = false,
        procedure: String? = nil
    ) throws(JetstreamError) -> MirroredChanges {
        let changes = OutgoingChanges(
            id: link.makeChangesID(),
            fragments: fragments,
            isAtomic: isAtomic,
            procedure: procedure
        )
        // Under the lock, so that a state finds the set both here and in the connection, or in neither.
        let refusal = state.withLock { state -> JetstreamError? in
            if let refusal = link.submit(changes) { return refusal }
            state.pending.append(changes)
            return nil
        }
        if let refusal { throw refusal }
        return MirroredChanges(id: changes.id)
    }

    private func apply(_ message: JetstreamMessage.ScopeState, sent: Set<ChangesID>) -> MirrorEvent {
        state.withLock { state in
            state.mirror.apply(message)
            // Under the lock, so that no change set is submitted in between.
            link.stateApplied(unsent: state.pending.filter { !sent.contains($0.id) })
            return .state(rootUUID: message.rootUUID, objects: state.mirror.objects)
        }
    }

    private func settle(_ id: ChangesID, _ outcome: ChangesOutcome) -> MirrorEvent? {
        state.withLock { state in
            guard let position = state.pending.firstIndex(where: { $0.id == id }) else { return nil }
            let changes = state.pending.remove(at: position)
            switch outcome {
            case .replied(let replies):
                state.mirror.apply(changes.fragments, replies: replies)
                return .settled(MirroredChanges(id: id), .success(replies))
            case .reverted(let error), .unknown(let error):
                return .settled(MirroredChanges(id: id), .failure(error))
            }
        }
    }
}
