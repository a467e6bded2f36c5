/// A connection that carries texts in order in both directions: what a protocol on top needs, whatever is beneath.
package protocol TextConnection: Sendable {
    /// Sends a text and returns when the system has taken it.
    nonisolated(nonsending) func send(text: String) async throws

    /// The next text; `nil` at an end in order.
    nonisolated(nonsending) func receiveText() async throws -> String?

    /// Runs tasks where the connection lives.
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
