/// A connection that transports texts in order in both directions, independent of the protocol beneath.
package protocol TextConnection: Sendable {
    /// Sends a text and returns when the system has accepted it.
    nonisolated(nonsending) func send(text: String) async throws

    /// Returns the next text, or `nil` after a normal end.
    nonisolated(nonsending) func receiveText() async throws -> String?

    /// The executor of the connection's thread.
    var executor: (any TaskExecutor)? { get }

    /// Ends the connection.
    func end() async
}

extension WebSocket: TextConnection {
    package nonisolated(nonsending) func send(text: String) async throws { try await send(.text(text)) }

    package nonisolated(nonsending) func receiveText() async throws -> String? {
        switch try await receive() {
        case nil: nil
        case .text(let text): text
        case .binary(let data): String(decoding: data, as: UTF8.self)
        }
    }

    package func end() async { await close() }
}
