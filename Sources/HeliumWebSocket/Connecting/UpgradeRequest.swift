internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// The request that turns a connection into a WebSocket, and the judgement of its answer (RFC 6455 section 4.1).
struct UpgradeRequest: Sendable {
    let head: HTTPRequestHead
    private let key: String
    private let subprotocols: [String]

    /// Fields that are the protocol's own.
    private static let ownFields: Set<String> = [
        "host", "connection", "upgrade", "content-length", "transfer-encoding", "sec-websocket-key",
        "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions",
    ]

    /// - Throws: ``InvalidURL`` of a field or subprotocol that can't be sent.
    init(to address: WebSocketAddress, options: WebSocketOptions) throws(InvalidURL) {
        var generator = Generator(source: options.random)
        key = NIOWebSocketClientUpgrader.randomRequestKey(using: &generator)
        subprotocols = options.subprotocols
        var fields = HTTPHeaders()
        fields.add(name: "Host", value: address.hostField)
        fields.add(name: "Connection", value: "Upgrade")
        fields.add(name: "Upgrade", value: "websocket")
        fields.add(name: "Sec-WebSocket-Key", value: key)
        fields.add(name: "Sec-WebSocket-Version", value: "13")
        guard subprotocols.allSatisfy({ HTTPField.Name($0) != nil }) else {
            throw InvalidURL("a subprotocol must be a token")
        }
        if !subprotocols.isEmpty {
            fields.add(name: "Sec-WebSocket-Protocol", value: subprotocols.joined(separator: ", "))
        }
        for field in options.fields {
            guard !Self.ownFields.contains(field.name.canonicalName) else {
                throw InvalidURL("the field \(field.name.rawName) is the protocol's own")
            }
            fields.add(name: field.name.rawName, value: field.value)
        }
        if options.fields[.userAgent] == nil {
            fields.add(name: "User-Agent", value: "Helium/\(HeliumVersion.current)")
        }
        head = HTTPRequestHead(version: .http1_1, method: .GET, uri: address.target, headers: fields)
    }

    private struct Generator: RandomNumberGenerator {
        let source: RandomSource
        func next() -> UInt64 { source.bits() }
    }
}

extension UpgradeRequest {
    /// What is wrong with an answer of status 101; `nil` if nothing is.
    func fault(in answer: HTTPResponseHead) -> String? {
        guard answer.headers[canonicalForm: "Upgrade"].contains(where: { $0.lowercased() == "websocket" }) else {
            return "the answer does not upgrade to websocket"
        }
        guard answer.headers[canonicalForm: "Connection"].contains(where: { $0.lowercased() == "upgrade" }) else {
            return "the answer's Connection does not say Upgrade"
        }
        let upgrader = NIOWebSocketClientUpgrader(requestKey: key) { channel, _ in
            channel.eventLoop.makeSucceededVoidFuture()
        }
        guard upgrader.shouldAllowUpgrade(upgradeResponse: answer) else {
            return "the answer's Sec-WebSocket-Accept does not fit the request's key"
        }
        guard answer.headers["Sec-WebSocket-Extensions"].isEmpty else {
            return "the answer agrees to an extension that was not offered"
        }
        let chosen = answer.headers["Sec-WebSocket-Protocol"]
        guard chosen.count <= 1, chosen.allSatisfy({ subprotocols.contains($0) }) else {
            return "the answer chooses a subprotocol that was not offered"
        }
        return nil
    }

    /// The subprotocol that an answer chooses.
    func subprotocol(in answer: HTTPResponseHead) -> String? { answer.headers.first(name: "Sec-WebSocket-Protocol") }
}
