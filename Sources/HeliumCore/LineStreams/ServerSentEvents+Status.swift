internal import Synchronization

extension ServerSentEvents {
    /// The status of an event stream.
    public struct Status: Sendable {
        /// The current activity of an event stream.
        public enum Activity: Hashable, Sendable {
            /// The first event was not requested yet.
            case idle
            /// The stream is being requested from the server.
            case connecting
            /// The stream is connected.
            case open
            /// The stream waits before connecting again.
            case waiting
            /// The stream has ended.
            case closed
        }

        /// The current activity.
        public package(set) var activity = Activity.idle

        /// The number of connections after the first one.
        public package(set) var reconnects = 0

        /// The number of failures in a row.
        public package(set) var failures = 0

        /// The last error. It is kept after the stream has recovered.
        public package(set) var lastError: HeliumError?

        /// The id of the last event taken, which the next connection sends to the server.
        public package(set) var lastEventID: String?
    }
}

/// Publishes the status of the newest iterator of a sequence.
final class StatusBoard: Sendable {
    private let state = Guarded((iterator: 0, status: ServerSentEvents.Status()))

    var status: ServerSentEvents.Status { state.withLock { $0.status } }

    /// Makes a new iterator the one whose status is published.
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

/// The right of one iterator to publish its status. The status becomes `closed` when the last copy of the iterator is
/// released.
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
