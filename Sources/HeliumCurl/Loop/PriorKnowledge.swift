/// The types that the loop and ``PriorKnowledgeTracker`` share for prior-knowledge requests in clear text.
enum PriorKnowledge {
    /// The kind of connection that a transfer starts on.
    enum Role: Equatable {
        /// A new connection.
        case opener
        /// An open connection.
        case follower
    }

    /// The position of a request in its origin's queue.
    typealias Ticket = UInt64

    /// The decision about a request.
    enum Admission: Equatable {
        case start(Role)
        case wait(Ticket)
    }

    /// The state of a request.
    enum State {
        case none
        case waiting(Ticket)
        case started(Role)
    }
}
