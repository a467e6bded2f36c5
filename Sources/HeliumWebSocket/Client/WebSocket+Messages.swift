extension WebSocket {
    /// The messages of a WebSocket.
    ///
    /// The sequence ends after ``WebSocket/close(_:reason:)`` and when the peer closes in order
    /// (``WebSocketCloseCode/isOrderly``). Otherwise it fails, after what had arrived before, with a `HeliumError` of kind:
    ///
    /// - `closedByPeer`: with another close code, which is the error's `code`,
    /// - `connectionLost`: without a goodbye,
    /// - `timedOut`: because the peer fell silent, or takes nothing (phases `silence`, `send`),
    /// - `protocolViolated`, `ceilingExceeded`: because of what the peer sent; the peer was told by code.
    ///
    /// A cancelled iteration throws `CancellationError` and loses no message: another can go on.
    public struct Messages: AsyncSequence, Sendable {
        let socket: WebSocket

        /// The sequence's only iterator is the socket's own queue.
        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Takes messages from the socket.
        public struct Iterator: AsyncIteratorProtocol {
            let socket: WebSocket

            /// The next message; `nil` at an end in order.
            public nonisolated(nonsending) mutating func next() async throws -> WebSocketMessage? {
                try await socket.receive()
            }

            /// The next message; `nil` at an end in order. The caller's executor is not left, which spares two hops.
            ///
            /// - Parameter actor: Where the caller runs; the compiler fills it in.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws -> WebSocketMessage? {
                try await socket.receive()
            }
        }
    }
}
