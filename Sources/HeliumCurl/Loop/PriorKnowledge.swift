/// The words in which the loop and ``PriorKnowledgeTracker`` talk of a prior-knowledge request in clear text.
enum PriorKnowledge {
    /// How a transfer is started.
    enum Role: Equatable {
        /// On a new connection.
        case opener
        /// On a connection that is open.
        case follower
    }

    /// Where a request waits in its origin's line.
    typealias Ticket = UInt64

    /// What becomes of a request.
    enum Admission: Equatable {
        case start(Role)
        case wait(Ticket)
    }

    /// Where a request stands.
    enum State {
        case none
        case waiting(Ticket)
        case started(Role)
    }
}
