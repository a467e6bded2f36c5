internal import HTTPTypes
internal import HeliumCore
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// The request that turns a connection into a WebSocket, and the validation of its response (RFC 6455 §4.1).
struct UpgradeRequest: Sendable {
    let text: HTTPRequestText
    private let key: String
    private let subprotocols: [String]

    /// Creates a request.
    ///
    /// - Throws: ``InvalidURL`` for a field or subprotocol that can't be sent.
    init(to address: WebSocketAddress, options: WebSocketOptions) throws(InvalidURL) {
        var generator = Generator(source: options.random)
        key = NIOWebSocketClientUpgrader.randomRequestKey(using: &generator)
        subprotocols = options.subprotocols
        guard subprotocols.allSatisfy({ HTTPField.Name($0) != nil }) else {
            throw InvalidURL("a subprotocol must be an HTTP token")
        }
        if let own = options.fields.first(where: { Self.isOwn($0.name) }) {
            throw InvalidURL("the field \(own.name.rawName) is set by the handshake")
        }
        var fields: HTTPFields = [
            .connection: "Upgrade", .upgrade: "websocket", .secWebSocketKey: key, .secWebSocketVersion: "13",
        ]
        if !subprotocols.isEmpty { fields[.secWebSocketProtocol] = subprotocols.joined(separator: ", ") }
        fields.append(contentsOf: options.fields)
        text = HTTPRequestText(.get, address.target, host: address.hostField, fields: fields)
    }

    private static func isOwn(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("sec-websocket-")
            || [.connection, .upgrade, .contentLength, .transferEncoding].contains(name)
            || name.canonicalName == "host"
    }

    private struct Generator: RandomNumberGenerator {
        let source: RandomSource
        func next() -> UInt64 { source.bits() }
    }
}

extension UpgradeRequest {
    /// Returns a description of the fault in a response of status 101, or `nil` if it is valid.
    func fault(in answer: ResponseHead) -> String? {
        let fields = answer.fields
        guard Self.list(fields, .upgrade).contains("websocket") else {
            return "the response does not upgrade to websocket"
        }
        guard Self.list(fields, .connection).contains("upgrade") else {
            return "the response has no Connection: Upgrade"
        }
        guard isProof(fields[values: .secWebSocketAccept]) else {
            return "the response has a Sec-WebSocket-Accept that does not match the request's key"
        }
        guard Self.list(fields, .secWebSocketExtensions).isEmpty else {
            return "the response accepts an extension that was not offered"
        }
        let chosen = fields[values: .secWebSocketProtocol]
        guard chosen.count <= 1, chosen.allSatisfy({ chosen in subprotocols.contains { $0.hasSameBytes(as: chosen) } })
        else {
            return "the response selects a subprotocol that was not offered"
        }
        return nil
    }

    /// Returns whether the server has read the key (RFC 6455 §4.2.2). NIO performs the check.
    private func isProof(_ values: [String]) -> Bool {
        let upgrader = NIOWebSocketClientUpgrader(requestKey: key) { channel, _ in
            channel.eventLoop.makeSucceededVoidFuture()
        }
        let headers = HTTPHeaders(values.map { ("Sec-WebSocket-Accept", $0) })
        let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
        return upgrader.shouldAllowUpgrade(upgradeResponse: head)
    }

    /// Returns the elements of a field in lower case (RFC 9110 §5.6.1).
    private static func list(_ fields: HTTPFields, _ name: HTTPField.Name) -> [ByteText] {
        fields[values: name].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .map { ByteText(String(decoding: $0.filter { $0 != 32 && $0 != 9 }, as: UTF8.self).lowercased()) }
            .filter { !$0.string.isEmpty }
    }
}
