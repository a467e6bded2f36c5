internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
internal import Synchronization

/// Runs a ``ConnectionMachine`` with a lock, a queue for each scope and a queue for the socket.
///
/// Any task may pass events. The resulting actions are taken under the lock, so that all queues have the machine's
/// order.
final class ClientCore: Sendable {
    private struct State {
        var machine: ConnectionMachine
        var inboxes: [ScopeID: BoundedQueue<ScopeDelivery>] = [:]
        /// The paused scopes, with the number of bytes of the frames with their deliveries since the pause began.
        var paused: [ScopeID: Int] = [:]
        /// Settled when a scope is paused.
        var pausing = Signal<Void>()
        /// Frames for the current socket.
        var outbound = BoundedQueue<String>(limit: .max)
        /// Settled when the current socket must be closed.
        var closing = Signal<Void>()
        /// Whether the store is missing data that must be written before the next frame is sent.
        var isStoreBehind = false
        /// The time that the timer waits for; `nil` if none.
        var armed: Duration?
        /// Settled when an earlier time is due.
        var rearm = Signal<Void>()
        var scopeCount = 0
        var changesCount = 0
        var end: JetstreamError?
    }

    /// The tasks to resume after an event. They are resumed without the lock: one that is being cancelled may wait for
    /// the handler of ``ConnectionKeeper/run()``, which waits for the lock. Signals also run arbitrary code.
    private struct Wakes: Sendable {
        var senders: [BoundedQueue<String>.Served] = []
        var readers: [BoundedQueue<ScopeDelivery>.Served] = []
        var ended: [BoundedQueue<ScopeDelivery>] = []
        var signals: [Signal<Void>] = []

        func perform() {
            for sender in senders { sender.resume() }
            for reader in readers { reader.resume() }
            for inbox in ended { inbox.finish() }
            for signal in signals { signal.settle() }
        }
    }

    /// The maximum number of deliveries that wait for one scope before reading from the socket pauses.
    private static let inboxLimit = 32

    /// The number of bytes that may wait for a paused scope, whose deliveries are not counted. It is the maximum size of
    /// a frame.
    private let maximumPausedBytes: Int

    let clock: any HeliumClock
    let sessionEvents = Broadcast<SessionEvent>(limit: 1024)
    /// Settled when the client has ended.
    let ended = Signal<Void>()
    private let state: Guarded<State>

    init(machine: ConnectionMachine, clock: any HeliumClock, maximumPausedBytes: Int = 16 << 20) {
        self.clock = clock
        self.maximumPausedBytes = maximumPausedBytes
        state = Guarded(State(machine: machine))
    }

    /// The error with which the client ended; `nil` while it runs.
    var end: JetstreamError? { state.withLock { $0.end } }

    /// The token of the session to resume; `nil` for a new session.
    var token: Secret? { state.withLock { $0.machine.token.map { Secret($0) } } }
}

// MARK: Events

extension ClientCore {
    /// Handles an event.
    ///
    /// - Returns: The reason why a change set was rejected; `nil` otherwise.
    @discardableResult
    func handle(_ event: ConnectionEvent) -> JetstreamError? {
        let now = clock.uptime
        var refusal: JetstreamError?
        let wakes = state.withLock { state -> Wakes in
            var wakes = Wakes()
            var fed: Set<ScopeID> = []
            for action in state.machine.handle(event, at: now) {
                switch action {
                case .save: state.isStoreBehind = true
                case .send(let frame):
                    if let served = state.outbound.place([frame], isForced: true) { wakes.senders.append(served) }
                case .closeSocket: wakes.signals.append(state.closing)
                case .deliver(let id, let delivery):
                    if case .received(let frame) = event, state.paused[id] != nil, fed.insert(id).inserted {
                        state.paused[id]? += frame.utf8.count
                    }
                    Self.deliver(delivery, to: id, &state, &wakes)
                case .refuse(_, let error): refusal = error
                case .report(let event): sessionEvents.enqueue(event)
                case .end(let error):
                    state.end = error
                    wakes.signals.append(ended)
                }
            }
            if let deadline = state.machine.deadline, state.armed.map({ deadline < $0 }) ?? true {
                wakes.signals.append(state.rearm)
            }
            return wakes
        }
        sessionEvents.deliver()
        wakes.perform()
        return refusal
    }

    private static func deliver(_ delivery: ScopeDelivery, to id: ScopeID, _ state: inout State, _ wakes: inout Wakes) {
        guard let inbox = state.inboxes[id] else { return }
        if let served = inbox.place([delivery], isForced: true) { wakes.readers.append(served) }
        guard case .ended = delivery else { return }
        wakes.ended.append(inbox)
        state.inboxes[id] = nil
        state.paused[id] = nil
    }

    /// Records that a socket is open. Later frames are sent on it.
    func socketOpened() -> (outbound: BoundedQueue<String>, closing: Signal<Void>) {
        let socket = state.withLock { state in
            state.outbound = BoundedQueue(limit: .max)
            state.closing = Signal()
            return (state.outbound, state.closing)
        }
        handle(.opened)
        return socket
    }
}

// MARK: Scopes

extension ClientCore {
    /// Fetches a scope.
    func fetch(_ name: String, parameters: JSONObject) -> ScopeLink {
        let (id, inbox) = state.withLock { state in
            defer { state.scopeCount += 1 }
            let (id, inbox) = (ScopeID(state.scopeCount), BoundedQueue<ScopeDelivery>(limit: Self.inboxLimit))
            state.inboxes[id] = inbox
            return (id, inbox)
        }
        handle(.fetch(id, name: name, parameters: parameters))
        return ScopeLink(id: id, core: self, inbox: inbox)
    }

    /// Abandons a scope.
    ///
    /// - Returns: The last of its change sets that was sent.
    @discardableResult
    func abandon(_ id: ScopeID) -> ChangesID? {
        handle(.abandon(id))
        let (inbox, lastSent) = state.withLock { state in
            state.paused[id] = nil
            return (state.inboxes.removeValue(forKey: id), state.machine.takeLastSent(of: id))
        }
        inbox?.finish()
        return lastSent
    }

    func makeChangesID() -> ChangesID {
        state.withLock { state in
            state.changesCount += 1
            return ChangesID(state.changesCount)
        }
    }

    /// Notes that a scope holds back its deliveries, or does so no longer.
    func setPaused(_ isPaused: Bool, _ id: ScopeID) {
        let signal = state.withLock { state -> Signal<Void>? in
            guard isPaused, state.inboxes[id] != nil else {
                state.paused[id] = nil
                return nil
            }
            state.paused[id] = state.paused[id] ?? 0
            defer { state.pausing = Signal() }
            return state.pausing
        }
        signal?.settle()
    }

    /// Waits until each scope has consumed enough deliveries for reading to continue. The deliveries of a paused scope
    /// may exceed the limit, so that the other scopes continue, until they have ``maximumPausedBytes``.
    func waitForRoom() async throws {
        guard fullInbox != nil else { return }
        handle(.readingPaused(true))
        defer { handle(.readingPaused(false)) }
        while let (inbox, pausing) = fullInbox {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await inbox.waitForRoom(1) }
                group.addTask { try? await pausing.value() }
                await group.next()
                group.cancelAll()
            }
            try Task.checkCancellation()
        }
    }

    /// A queue that has too many deliveries, and the signal for the next pause.
    private var fullInbox: (BoundedQueue<ScopeDelivery>, Signal<Void>)? {
        state.withLock { state in
            let full = state.inboxes.first { id, inbox in
                (state.paused[id].map { $0 >= maximumPausedBytes } ?? true) && !inbox.offer([])
            }
            return full.map { ($0.value, state.pausing) }
        }
    }
}

// MARK: Time and the store

extension ClientCore {
    /// Reports the time whenever it is due, until the task is cancelled. Before that, it reports whether the socket has
    /// received a part of a frame.
    func keepTime(of socket: any JetstreamSocket) async throws {
        var lastPart: Duration?
        while true {
            let (deadline, rearm) = state.withLock { state in
                state.armed = state.machine.deadline
                state.rearm = Signal()
                return (state.armed, state.rearm)
            }
            if let deadline {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { [clock] in try? await clock.waitForDeadline(at: deadline) }
                    group.addTask { try? await rearm.value() }
                    await group.next()
                    group.cancelAll()
                }
                try Task.checkCancellation()
                let part = socket.partialArrival
                if part != nil, part != lastPart { handle(.partArrived) }
                lastPart = part
                handle(.timePassed)
            } else {
                try await rearm.value()
            }
        }
    }

    /// Returns the session to write to the store; `nil` if the store is up to date.
    func takeUnsavedSession() -> StoredSession?? {
        state.withLock { state in
            guard state.isStoreBehind else { return nil }
            state.isStoreBehind = false
            return .some(state.machine.storedSession)
        }
    }
}
