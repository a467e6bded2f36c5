internal import Synchronization

extension ServerSentEvents {
    /// How an event stream is doing.
    public struct Status: Sendable {
        /// What it does now.
        public enum Activity: Hashable, Sendable {
            /// Nothing yet: the first event was not asked for.
            case idle
            /// It asks the server for the stream.
            case connecting
            /// The server sends events.
            case open
            /// It waits to connect again.
            case waiting
            /// It is over.
            case closed
        }

        /// What it does now.
        public package(set) var activity = Activity.idle

        /// How often it has asked the server again since the first time.
        public package(set) var reconnects = 0

        /// How many connections in a row have failed by now.
        public package(set) var failures = 0

        /// What the last failure was; stays when it has passed.
        public package(set) var lastError: HeliumError?

        /// The id that the next connection will tell the server: of the last event taken.
        public package(set) var lastEventID: String?
    }
}

/// Shows the status of the newest iterator of a sequence.
final class StatusBoard: Sendable {
    private let state = Guarded((iterator: 0, status: ServerSentEvents.Status()))

    var status: ServerSentEvents.Status { state.withLock { $0.status } }

    /// A new iterator takes the board over.
    func lease(lastEventID: String?) -> StatusLease {
        let number = state.withLock { state in
            state.iterator += 1
            state.status = ServerSentEvents.Status()
            state.status.lastEventID = lastEventID
            return state.iterator
        }
        return StatusLease(board: self, iterator: number)
    }

    fileprivate func update(_ iterator: Int, _ change: (inout ServerSentEvents.Status) -> Void) {
        state.withLock { state in
            if state.iterator == iterator { change(&state.status) }
        }
    }
}

/// One iterator's place on the board; the last copy of the iterator closes it.
final class StatusLease: Sendable {
    private let board: StatusBoard
    private let iterator: Int

    init(board: StatusBoard, iterator: Int) {
        self.board = board
        self.iterator = iterator
    }

    deinit { update { $0.activity = .closed } }

    func update(_ change: (inout ServerSentEvents.Status) -> Void) { board.update(iterator, change) }
}
