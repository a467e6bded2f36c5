public import Foundation
internal import HTTPTypes
public import HeliumCore
public import HeliumWebSocket

/// A transport over WebSocket (Docs/Protocols/Jetstream.md §1.1).
public struct WebSocketTransport: JetstreamTransport {
    /// The server's URL: `ws` or `wss`. Servers ignore the path.
    public let url: URL
    /// The options of each socket: header fields, trusted authorities, timeouts.
    public let options: WebSocketOptions

    /// Creates a transport to a server.
    ///
    /// - Parameters:
    ///   - url: The server's URL.
    ///   - parameters: Connection parameters. Each is sent as a header field `X-Jetstream-NAME`; servers see the name
    ///     in lower case.
    ///   - options: The options of each socket.
    /// - Throws: ``JetstreamError`` of kind `invalidConfiguration` for a name or value that is invalid in a header
    ///   field.
    public init(
        url: URL,
        parameters: [(name: String, value: String)] = [],
        options: WebSocketOptions = WebSocketOptions()
    ) throws(JetstreamError) {
        var options = options
        for (name, value) in parameters {
            guard let field = HTTPField.Name("X-Jetstream-\(name)"), HTTPField.isValidValue(value) else {
                let message = "a connection parameter can't be sent as a header field"
                throw JetstreamError(.invalidConfiguration, message, delivery: .notSent)
            }
            options.fields[field] = value
        }
        self.url = url
        self.options = options
    }

    /// Opens a WebSocket.
    public func connect(token: Secret?) async throws -> any JetstreamSocket {
        var options = options
        if let token, let name = HTTPField.Name("X-Jetstream-SessionToken") { options.fields[name] = token.value }
        return WebSocketAdapter(socket: try await WebSocket.connect(to: url, options: options))
    }
}

extension WebSocketTransport: CustomReflectable {
    /// The server's name and the options. The URL and the parameters may contain credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["host": url.host ?? "", "options": options], displayStyle: .struct)
    }
}

/// Adapts a WebSocket to the client's needs.
private struct WebSocketAdapter: JetstreamSocket {
    let socket: WebSocket

    func send(_ frame: String) async throws { try await socket.send(.text(frame)) }

    func receive() async throws -> String? {
        var messages = socket.messages.makeAsyncIterator()
        switch try await messages.next() {
        case .text(let text)?: return text
        // Bytes that are not valid UTF-8 are not JSON, so the frame is ignored.
        case .binary(let data)?: return String(data: data, encoding: .utf8) ?? ""
        case nil: return nil
        }
    }

    func close() async { await socket.close() }

    var partialArrival: Duration? { socket.partialArrival }

    var closure: JetstreamClosure? {
        socket.closure.map { JetstreamClosure(code: Int($0.code.rawValue), reason: $0.reason) }
    }
}
