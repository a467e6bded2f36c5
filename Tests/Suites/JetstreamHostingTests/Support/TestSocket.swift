import Foundation
import HTTPTypes
import HeliumJSON
import HeliumWebSocket
import JetstreamHosting
import TestSupport

/// A client of raw frames over a real socket.
final class TestSocket {
    private let socket: WebSocket
    private var messages: WebSocket.Messages.AsyncIterator
    private var waiting: [JSONValue] = []
    /// The index of the next message.
    private var index = 0

    init(_ url: URL, fields: [String: String] = [:], query: String? = nil) async throws {
        var options = WebSocketOptions()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { options.fields[name] = value }
        }
        var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        components?.percentEncodedQuery = query
        socket = try await WebSocket.connect(to: components?.url ?? url, options: options)
        messages = socket.messages.makeAsyncIterator()
    }

    /// Connects, creates a session and fetches a scope.
    static func joined(_ url: URL, _ scope: String = "Board") async throws -> (
        TestSocket, token: String, state: JSONValue
    ) {
        let socket = try await TestSocket(url)
        let token = try await socket.create()
        return (socket, token, try await socket.fetch(scope))
    }

    nonisolated(nonsending) func send(_ text: String) async throws { try await socket.send(.text(text)) }

    nonisolated(nonsending) func sendBinary(_ text: String) async throws {
        try await socket.send(.binary(Data(text.utf8)))
    }

    /// The next message of the server but its plain pings.
    nonisolated(nonsending) func next() async throws -> JSONValue {
        while waiting.isEmpty {
            guard let text = try await messages.next()?.text else { throw Ended() }
            waiting = try JSONValue(parsing: Array(text.utf8)).arrayValue ?? [.string("not an array")]
            waiting.removeAll { $0["type"] == "Ping" && $0["resendMissing"] == false }
        }
        return waiting.removeFirst()
    }

    static let sessionCreate = #"{"type":"SessionCreate","index":0,"version":"0.2.0","params":{}}"#

    nonisolated(nonsending) func create() async throws -> String {
        try await send(Self.sessionCreate)
        return try await next()["sessionToken"]?.stringValue ?? ""
    }

    nonisolated(nonsending) func fetch(_ scope: String = "Board") async throws -> JSONValue {
        index += 1
        try await send(#"{"type":"ScopeFetch","index":\#(index),"name":"\#(scope)","params":{}}"#)
        _ = try await next()
        return try await next()
    }

    /// Changes the root's name and returns the reply.
    nonisolated(nonsending) func rename(_ root: String, _ name: String, index: Int) async throws -> JSONValue {
        try await send(Self.rename(root, name, index: index))
        return try await next()
    }

    static func rename(_ root: String, _ name: String, index: Int) -> String {
        #"{"type":"ScopeSync","index":\#(index),"scopeIndex":0,"fragments":[{"type":"change","uuid":"\#(root)","#
            + #""clsName":"Board","properties":{"name":"\#(name)"}}]}"#
    }

    /// Reads until the server closes.
    nonisolated(nonsending) func end() async -> WebSocketClosure? {
        while (try? await messages.next()) != nil {}
        return socket.closure
    }

    nonisolated(nonsending) func close() async { await socket.close() }

    struct Ended: Error {}
}

/// Runs a server on a free port.
func withJetstreamServer<Value>(
    _ file: ScopeFile = .board,
    _ change: (inout JetstreamServer.Configuration) -> Void = { _ in },
    _ body: (JetstreamServer, URL) async throws -> Value
) async throws -> Value {
    var configuration = JetstreamServer.Configuration(scopes: file)
    configuration.port = 0
    change(&configuration)
    let server = try JetstreamServer(configuration)
    return try await withRunning({ try await server.run() }) {
        try await body(server, try await server.ready().webSocket)
    }
}
