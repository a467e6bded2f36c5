import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport

@testable import CosmServer
@testable import HeliumServerKit

/// A live client, by whatever transport.
protocol LiveClient: Sendable {
    init(_ running: RunningServer) async throws
    func send(_ text: String) async throws
    func receive() async throws -> TestJSON
}

extension LiveClient {
    /// Sends a frame with a key, and returns the next frame that arrives.
    func ask(_ method: String, _ resource: String, key: String, token: String? = nil, body: String? = nil) async throws
        -> TestJSON
    {
        try await send(Self.frame(method, resource, key: key, token: token, body: body))
        return try await receive()
    }

    static func frame(_ method: String, _ resource: String, key: String, token: String? = nil, body: String? = nil)
        -> String
    {
        let token = token.map { #","token":"\#($0)""# } ?? ""
        let body = body.map { #","body":\#($0)"# } ?? ""
        return #"{"method":"\#(method)","resource":"\#(resource)","headers":{"X-ApiKey":"\#(key)"}\#(token)\#(body)}"#
    }
}

/// Raw TCP: no delimiter is sent, lines are read.
struct TCPClient: LiveClient {
    let connection: RawConnection

    init(_ running: RunningServer) throws {
        let port = running.ready.cosm.tcp.split(separator: ":").last.flatMap { Int($0) } ?? 0
        connection = try RawConnection(port: port)
    }

    func send(_ text: String) async throws { try await connection.send(text) }

    func receive() async throws -> TestJSON { try TestJSON(parsing: try await connection.line()) }
}

extension WebSocketClient: LiveClient {
    /// Opens a WebSocket at Cosm's port.
    init(_ running: RunningServer) async throws {
        try await self.init(port: running.ready.cosm.webSocket.port ?? 0, path: "/")
    }

    func receive() async throws -> TestJSON { try await json() }
}
