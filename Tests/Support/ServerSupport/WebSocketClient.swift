/// WebSocket frames made by hand (RFC 6455).
package struct WebSocketClient: Sendable {
    package let connection: RawConnection

    package struct Frame: Hashable, Sendable {
        package let opcode: UInt8
        package let data: [UInt8]

        package init(opcode: UInt8, data: [UInt8]) {
            self.opcode = opcode
            self.data = data
        }

        package var text: String { String(decoding: data, as: UTF8.self) }
        /// Of a close frame.
        package var code: Int { data.count < 2 ? 0 : Int(data[0]) << 8 | Int(data[1]) }
    }

    /// Opens a WebSocket.
    ///
    /// - Throws: `RawConnection.Failure.malformed` with the status line of a refusal.
    package init(port: Int, path: String) async throws {
        connection = try RawConnection(port: port)
        try await connection.send(Self.handshake(path))
        let status = try await connection.line()
        guard status.hasPrefix("HTTP/1.1 101") else { throw RawConnection.Failure.malformed(status) }
        while try await connection.line() != "\r" {}
    }

    package static func handshake(_ path: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    }

    package func send(_ text: String) async throws { try await send(1, Array(text.utf8)) }

    package func send(_ opcode: UInt8, _ data: [UInt8], isFinal: Bool = true, isMasked: Bool = true) async throws {
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

    package func frame() async throws -> Frame {
        let head = try await connection.read(count: 2)
        var count = Int(head[1] & 0x7F)
        if count == 126 {
            count = try await connection.read(count: 2).reduce(0) { $0 << 8 | Int($1) }
        } else if count == 127 {
            count = try await connection.read(count: 8).reduce(0) { $0 << 8 | Int($1) }
        }
        return Frame(opcode: head[0] & 0x0F, data: try await connection.read(count: count))
    }

    /// The document in the next frame, which must be of text.
    package func json() async throws -> TestJSON {
        let frame = try await frame()
        guard frame.opcode == 1 else { throw RawConnection.Failure.malformed("opcode \(frame.opcode), \(frame.code)") }
        return try TestJSON(parsing: frame.data)
    }
}
