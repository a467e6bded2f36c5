internal import Foundation
internal import HTTPTypes
internal import HeliumJSON
internal import NIOHTTP1

/// The rules for a request that asks for a WebSocket (RFC 6455 §4.2.1), without I/O.
enum WebSocketHandshake {
    /// Returns whether a request asks for a WebSocket, whether or not the request is valid. An `Upgrade` field that
    /// `Connection` does not list is ignored, and so is one in a request of HTTP/1.0 (RFC 9110 §7.8).
    static func isAsked(by head: HTTPRequestHead) -> Bool {
        (head.version.major, head.version.minor) >= (1, 1) && lists(head.headers, "Upgrade", "websocket")
            && lists(head.headers, "Connection", "upgrade")
    }

    /// Returns the response to an invalid request; `nil` if the request can become a WebSocket.
    static func refusal(of head: HTTPRequestHead) -> ServerReply? {
        let fields = head.headers
        guard fields["Host"].count == 1 else { return text(.badRequest, "a request must have one Host field") }
        guard head.method == .GET else {
            var refusal = text(.methodNotAllowed, "the method of a handshake must be GET")
            refusal.fields[.allow] = "GET"
            return refusal
        }
        guard fields["Transfer-Encoding"].isEmpty, fields["Content-Length"].allSatisfy({ $0 == "0" }) else {
            return text(.badRequest, "a handshake must not have a body")
        }
        guard fields["Sec-WebSocket-Version"] == ["13"] else {
            return upgradeRequired("this server supports version 13 of the WebSocket protocol")
        }
        guard fields["Sec-WebSocket-Key"].count == 1, isKey(fields["Sec-WebSocket-Key"][0]) else {
            return text(.badRequest, "Sec-WebSocket-Key must be 16 bytes in base64")
        }
        return nil
    }

    /// Returns the response to a request that does not ask for a WebSocket, or that asks for an unsupported version
    /// (RFC 6455 §4.2.2).
    private static func upgradeRequired(_ reason: String) -> ServerReply {
        var refusal = text(.upgradeRequired, reason)
        refusal.fields[.upgrade] = "websocket"
        refusal.fields[.secWebSocketVersion] = "13"
        return refusal
    }

    private static func text(_ status: HTTPResponse.Status, _ reason: String) -> ServerReply {
        .text(status, "\(reason)\n", type: "text/plain; charset=utf-8")
    }

    /// Returns whether a value has 24 characters that are 16 bytes in Base64.
    private static func isKey(_ value: String) -> Bool {
        value.utf8.count == 24 && Data(base64Encoded: value)?.count == 16
    }

    /// Returns whether a field lists a token, which must be in lower case (RFC 9110 §5.6.1).
    private static func lists(_ fields: HTTPHeaders, _ name: String, _ token: String) -> Bool {
        // By bytes: the request has not been checked for long runs of combining marks.
        fields[canonicalForm: name].contains { $0.lowercased().hasSameBytes(as: token) }
    }
}
