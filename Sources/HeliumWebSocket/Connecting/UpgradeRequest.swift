internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumCrypto

/// The request that turns a connection into a WebSocket, and the validation of its response (RFC 6455 §4.1).
struct UpgradeRequest: Sendable {
    let text: HTTPRequestText
    private let key: String
    private let subprotocols: [String]

    /// Creates a request.
    ///
    /// - Throws: ``InvalidURL`` for a field or subprotocol that can't be sent.
    init(to address: WebSocketAddress, options: WebSocketOptions) throws(InvalidURL) {
        try Self.validate(options.fields, subprotocols: options.subprotocols)
        key = Self.randomKey(options.random)
        subprotocols = options.subprotocols
        var fields: HTTPFields = [
            .connection: "Upgrade", .upgrade: "websocket", .secWebSocketKey: key, .secWebSocketVersion: "13",
        ]
        if !subprotocols.isEmpty { fields[.secWebSocketProtocol] = subprotocols.joined(separator: ", ") }
        fields.append(contentsOf: options.fields)
        text = HTTPRequestText(.get, address.target, host: address.hostField, fields: fields)
    }

    /// Validates the parts of a request that its caller chooses.
    ///
    /// - Throws: ``InvalidURL`` for a field or subprotocol that can't be sent.
    static func validate(_ fields: HTTPFields, subprotocols: [String]) throws(InvalidURL) {
        guard subprotocols.allSatisfy({ HTTPField.Name($0) != nil }) else {
            throw InvalidURL("a subprotocol must be an HTTP token")
        }
        if let own = fields.first(where: { isOwn($0.name) }) {
            throw InvalidURL("the field \(own.name.rawName) is set by the handshake")
        }
    }

    private static func isOwn(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.hasPrefix("sec-websocket-")
            || [.connection, .upgrade, .contentLength, .transferEncoding].contains(name)
            || name.canonicalName == "host"
    }

    /// Returns the key of a request: 16 random bytes (RFC 6455 §4.1).
    private static func randomKey(_ random: RandomSource) -> String {
        var key = Data(capacity: 16)
        for number in random.bits(count: 2) { withUnsafeBytes(of: number) { key.append(contentsOf: $0) } }
        return key.base64EncodedString()
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

    /// Returns whether the server has read the key: the field has the hash of the key and of a fixed text, once
    /// (RFC 6455 §4.2.2).
    private func isProof(_ values: [String]) -> Bool {
        guard values.count == 1 else { return false }
        let hash = SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return values[0].hasSameBytes(as: Data(hash).base64EncodedString())
    }

    /// Returns the elements of a field in lower case (RFC 9110 §5.6.1).
    private static func list(_ fields: HTTPFields, _ name: HTTPField.Name) -> [ByteText] {
        fields[values: name].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .map { ByteText(String(decoding: $0.filter { $0 != 32 && $0 != 9 }, as: UTF8.self).lowercased()) }
            .filter { !$0.string.isEmpty }
    }
}
