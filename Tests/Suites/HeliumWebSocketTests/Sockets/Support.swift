import Foundation
import HeliumCore
import HeliumTesting
import HeliumWebSocket
import Testing
import WireSupport

extension WireServer {
    /// The URL that a WebSocket connects to.
    var url: URL { url("ws://127.0.0.1:\(port)/live") }

    func url(_ text: String) -> URL {
        guard let url = URL(string: text) else { preconditionFailure("a test's URL is none: \(text)") }
        return url
    }
}

/// A server that accepts the upgrade and then does what the test says; the connection ends when that returns.
func withSocket<Value: Sendable>(
    options: WebSocketOptions = .quiet,
    serve: @escaping @Sendable (WirePeer) async throws -> Void,
    _ body: (WebSocket, WireServer) async throws -> Value
) async throws -> Value {
    try await WireServer.run { peer in
        try await peer.upgrade()
        try await serve(peer)
    } _: { server async throws in
        let socket = try await WebSocket.connect(to: server.url, options: options)
        return try await body(socket, server)
    }
}

extension WebSocketOptions {
    /// Without pings, so that a scripted server sees only what the test sends.
    static var quiet: Self {
        var options = Self()
        options.timeouts.pingInterval = nil
        return options
    }
}

/// Returns the error that an operation throws, as a `HeliumError`.
func failure<Value>(of operation: () async throws -> Value) async throws -> HeliumError {
    do {
        let value = try await operation()
        throw Unexpected("no failure but \(value)")
    } catch let error as HeliumError {
        return error
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension WebSocket {
    /// All that arrives until the end in order.
    func texts() async throws -> [String] {
        var texts: [String] = []
        for try await message in messages { texts.append(message.text ?? "(bytes)") }
        return texts
    }
}
