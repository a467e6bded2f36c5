extension FaultServer {
    /// An event at a server. Use events to check the order in which things happened.
    public struct Event: Hashable, Sendable {
        /// The kinds of events.
        public enum What: Hashable, Sendable {
            /// The server accepted a connection.
            case connected
            /// The server read a request. The number of the server's first request is 1.
            case request(number: Int)
            /// A named fault began.
            case fault(String)
            /// The client closed the connection. The server notices this when it reads, writes or waits.
            case closedByClient
            /// The server closed the connection, or was stopped.
            case closedByServer
        }

        /// The kind of the event.
        public let what: What

        /// The number of the connection. The first is 1.
        public let connection: Int

        /// The time since the server's start.
        public let time: Duration
    }
}
