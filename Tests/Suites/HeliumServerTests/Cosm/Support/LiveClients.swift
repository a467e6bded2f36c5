import Foundation
import HeliumServer
import HeliumServerTesting

@testable import CosmServer
@testable import HeliumServerKit

/// A live client, by whatever transport.
protocol LiveClient: Sendable {
    init(_ running: RunningServer) async throws
    func send(_ text: String) async throws
    func receive() async throws -> TestJSON
}

extension LiveClient {
    /// Sends a frame with the master key and gives the next that comes.
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

/// WebSocket frames made by hand (RFC 6455).
struct WebSocketClient: LiveClient {
    let connection: RawConnection

    struct Frame: Hashable, Sendable {
        let opcode: UInt8
        let data: [UInt8]
        var text: String { String(decoding: data, as: UTF8.self) }
        /// Of a close frame.
        var code: Int { data.count < 2 ? 0 : Int(data[0]) << 8 | Int(data[1]) }
    }

    init(_ running: RunningServer) async throws {
        connection = try RawConnection(port: running.ready.cosm.webSocket.port ?? 0)
        try await connection.send(Self.handshake("/"))
        let status = try await connection.line()
        guard status.hasPrefix("HTTP/1.1 101") else { throw RawConnection.Failure.malformed(status) }
        while try await connection.line() != "\r" {}
    }

    static func handshake(_ path: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    }

    func send(_ text: String) async throws { try await send(1, Array(text.utf8)) }

    func send(_ opcode: UInt8, _ data: [UInt8], isFinal: Bool = true, isMasked: Bool = true) async throws {
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        switch data.count {
        case ..<126: bytes.append(mask | UInt8(data.count))
        case ..<65_536: bytes += [mask | 126, UInt8(data.count >> 8), UInt8(data.count & 255)]
        default: bytes += [mask | 127] + (0..<8).map { UInt8(truncatingIfNeeded: data.count >> (56 - 8 * $0)) }
        }
        let key: [UInt8] = [1, 2, 3, 4]
        if isMasked { bytes += key }
        bytes += isMasked ? data.enumerated().map { $0.element ^ key[$0.offset & 3] } : data
        try await connection.send(bytes)
    }

    func frame() async throws -> Frame {
        let head = try await connection.read(count: 2)
        var count = Int(head[1] & 0x7F)
        if count == 126 {
            count = try await connection.read(count: 2).reduce(0) { $0 << 8 | Int($1) }
        } else if count == 127 {
            count = try await connection.read(count: 8).reduce(0) { $0 << 8 | Int($1) }
        }
        return Frame(opcode: head[0] & 0x0F, data: try await connection.read(count: count))
    }

    func receive() async throws -> TestJSON {
        let frame = try await frame()
        guard frame.opcode == 1 else { throw RawConnection.Failure.malformed("opcode \(frame.opcode), \(frame.code)") }
        return try TestJSON(parsing: frame.data)
    }
}
