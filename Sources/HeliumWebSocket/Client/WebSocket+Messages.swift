extension WebSocket {
    /// The messages of a WebSocket.
    ///
    /// The sequence ends after ``WebSocket/close(_:reason:)`` and when the peer closes normally
    /// (``WebSocketCloseCode/isOrderly``). Otherwise it fails, after the messages that were read before, with a
    /// `HeliumError` of one of these kinds. If a message can't be sent, because the connection was lost or the peer
    /// accepts no data, what has arrived and a slow consumer has left beyond the queue may be lost.
    ///
    /// - `closedByPeer`: The peer closed with another close code, which is the error's `code`.
    /// - `connectionLost`: The connection ended without a close frame.
    /// - `timedOut`: The peer sent nothing, or accepted no data (phases `silence`, `send`).
    /// - `protocolViolated`, `ceilingExceeded`: The peer sent invalid or too much data. The peer was sent a close code.
    ///
    /// A cancelled iteration throws `CancellationError` and loses no message, so another iteration can continue.
    public struct Messages: AsyncSequence, Sendable {
        let socket: WebSocket

        /// Creates an iterator. All iterators share the socket's queue.
        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Takes messages from the socket.
        public struct Iterator: AsyncIteratorProtocol {
            @usableFromInline let socket: WebSocket

            /// Returns the next message, or `nil` after a normal end.
            @inlinable @inline(__always)
            public nonisolated(nonsending) mutating func next() async throws -> WebSocketMessage? {
                if let message = try socket.link.receiveAtOnce() { return message }
                return try await socket.link.waitForMessage()
            }

            /// Returns the next message, or `nil` after a normal end. The call stays on the caller's executor, which
            /// avoids two changes of executor.
            ///
            /// - Parameter actor: The actor of the caller, which the compiler provides.
            @inlinable @inline(__always)
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws -> WebSocketMessage? {
                if let message = try socket.link.receiveAtOnce() { return message }
                return try await socket.link.waitForMessage()
            }
        }
    }
}
