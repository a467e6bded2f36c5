internal import HeliumCore
public import HeliumKit

extension Helium {
    /// Creates the request of a WebSocket, which is signed or authorized like every request of the client.
    ///
    /// ```swift
    /// let socket = try await helium.webSocket("/shows/:id/updates").pathReplacements(["id": 42]).connect()
    /// for try await message in socket.messages {
    ///     print(message.text ?? "bytes")
    /// }
    /// ```
    ///
    /// - Parameter path: The path below the base URL's own. Segments `:name` are placeholders. It may contain a query.
    public func webSocket(_ path: String) -> WebSocketBuilder { WebSocketBuilder(path, of: self) }
}
