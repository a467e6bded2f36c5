import Foundation
import HeliumServerKit
package import HeliumServerTesting
import MiddlewareServer

/// Sends requests to a server under test, signed with the page's public example or as they are.
package struct Peer: Sendable {
    package let running: RunningServer

    package init(running: RunningServer) { self.running = running }

    package var port: Int { running.ready.http.port ?? 0 }
    package var host: String { "127.0.0.1:\(port)" }

    /// A request's bytes, `Host` and `Content-Length` included.
    package static func bytes(
        _ method: String,
        _ target: String,
        host: String,
        fields: [(String, String)] = [],
        body: [UInt8]? = nil
    ) -> [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8) + (body ?? [])
    }

    /// Sends one request on a connection of its own.
    package func send(
        _ method: String,
        _ target: String,
        fields: [(String, String)] = [],
        body: [UInt8]? = nil,
        host: String? = nil
    ) async throws -> RawAnswer {
        let connection = try RawConnection(port: port)
        try await connection.send(Self.bytes(method, target, host: host ?? self.host, fields: fields, body: body))
        return try await connection.answer(isHead: method == "HEAD")
    }

    /// Sends one request signed for `device`; a body is JSON.
    package func signed(
        _ method: String,
        _ target: String,
        device: String,
        json: String? = nil,
        fields: [(String, String)] = [],
        at seconds: Int? = nil
    ) async throws -> RawAnswer {
        let key = key(method, target, device: device, json: json, at: seconds)
        var fields = fields + [("key", key), ("User-Agent", "Helium tests")]
        if json != nil { fields.append(("Content-Type", "application/json")) }
        return try await send(method, target, fields: fields, body: json.map { Array($0.utf8) })
    }

    package func key(
        _ method: String,
        _ target: String,
        device: String,
        json: String? = nil,
        at seconds: Int? = nil
    ) -> String {
        let secret = MiddlewareSecret.publicExample
        let timestamp = String(seconds ?? Int(Date().timeIntervalSince1970))
        let request = SignedRequest(
            method: method,
            scheme: "http",
            hostHeader: host,
            requestTarget: target,
            bodyText: json ?? ""
        )
        return device + secret.id + timestamp
            + request.signature(deviceID: device, secret: secret.secret, timestamp: timestamp)
    }

    /// Registers a device and gives its id.
    package func register(_ description: String = "{}") async throws -> String {
        let answer = try await post("/demo-auth/v1/devices", description)
        guard case .string(let id) = answer.json?["response"]?["id"] else {
            throw RawConnection.Failure.malformed(answer.text)
        }
        return id
    }

    /// An unsigned POST of JSON.
    package func post(_ target: String, _ json: String) async throws -> RawAnswer {
        let fields = [("Content-Type", "application/json"), ("User-Agent", "Helium tests")]
        return try await send("POST", target, fields: fields, body: Array(json.utf8))
    }
}

extension RawAnswer {
    package var json: TestJSON? { TestJSON.parse(text) }

    /// The codes of all errors, in their order; an error without one is "".
    package var codes: [String] {
        guard case .array(let errors) = json?["errors"] else { return [] }
        return errors.map { if case .string(let code) = $0["code"] { code } else { "" } }
    }
}
