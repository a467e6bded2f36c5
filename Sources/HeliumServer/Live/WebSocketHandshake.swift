internal import Foundation
internal import NIOHTTP1

/// The rules for a request that asks for a WebSocket (RFC 6455 §4.2.1): a judgement without I/O, whatever the port.
enum WebSocketHandshake {
    /// - Returns: The response to a request that breaks a rule; `nil` if it may become a WebSocket.
    static func refusal(of head: HTTPRequestHead) -> LiveRefusal? {
        let fields = head.headers
        // HTTP/1.0 has no upgrades, and an Upgrade field that Connection does not name is none (RFC 9110 §7.8).
        guard (head.version.major, head.version.minor) >= (1, 1), list(fields, "Upgrade").contains("websocket"),
            list(fields, "Connection").contains("upgrade")
        else { return .upgradeRequired("this port speaks WebSocket only") }
        guard fields["Host"].count == 1 else { return .badRequest("a request must have one Host field") }
        guard head.method == .GET else {
            return LiveRefusal(status: .methodNotAllowed, fields: ["Allow": "GET"], text: "a handshake's method is GET")
        }
        guard fields["Transfer-Encoding"].isEmpty, fields["Content-Length"].allSatisfy({ $0 == "0" }) else {
            return .badRequest("a handshake has no body")
        }
        guard fields["Sec-WebSocket-Version"] == ["13"] else {
            return .upgradeRequired("this server speaks version 13 of the WebSocket protocol")
        }
        guard fields["Sec-WebSocket-Key"].count == 1, isKey(fields["Sec-WebSocket-Key"][0]) else {
            return .badRequest("Sec-WebSocket-Key must be 16 bytes in base64")
        }
        return nil
    }

    /// 16 bytes in base64 are 24 characters.
    private static func isKey(_ value: String) -> Bool {
        value.utf8.count == 24 && Data(base64Encoded: value)?.count == 16
    }

    /// The elements of a field in lower case (RFC 9110 §5.6.1).
    private static func list(_ fields: HTTPHeaders, _ name: String) -> [String] {
        fields[canonicalForm: name].map { $0.lowercased() }
    }
}
