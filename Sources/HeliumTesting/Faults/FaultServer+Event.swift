extension FaultServer {
    /// One thing that happened at a server, for looking at the order of things.
    public struct Event: Hashable, Sendable {
        /// What happened.
        public enum What: Hashable, Sendable {
            /// A connection was accepted.
            case connected
            /// A request was read: number 1 for the server's first.
            case request(number: Int)
            /// A named fault began.
            case fault(String)
            /// The client ended the connection, as far as the server was looking.
            case closedByClient
            /// The server ended the connection, or was stopped.
            case closedByServer
        }

        /// What happened.
        public let what: What

        /// On which connection: 1 for the first.
        public let connection: Int

        /// When, counted from the server's start.
        public let time: Duration
    }
}
