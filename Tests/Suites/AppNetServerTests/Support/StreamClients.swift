import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Synchronization

@testable import AppNetServer
@testable import HeliumServerKit

/// The frames of a stream, by whatever transport.
protocol FrameReader: Sendable {
    /// The next frame that is not empty.
    func frame() async throws -> TestJSON
}

/// A stream over chunked HTTP, taken apart by hand.
struct ChunkedClient: FrameReader {
    let connection: RawConnection
    let status: Int
    /// Names in lower case.
    let fields: [String: String]
    private let pending = Box()

    private final class Box: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    init(_ visitor: AppNetVisitor, _ target: String) async throws {
        connection = try RawConnection(port: visitor.port)
        let fields = visitor.token.map { [("Authorization", "Bearer \($0)")] } ?? []
        try await connection.send(Peer.bytes("GET", target, host: "127.0.0.1:\(visitor.port)", fields: fields))
        let line = try await connection.line().split(separator: " ")
        status = line.count > 1 ? Int(line[1]) ?? 0 : 0
        var found: [String: String] = [:]
        while case let line = try await connection.line(), line != "\r" {
            let parts = line.split(separator: ":", maxSplits: 1)
            found[parts[0].lowercased()] =
                parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespacesAndNewlines) : ""
        }
        self.fields = found
    }

    /// Opens a user stream.
    static func user(_ visitor: AppNetVisitor, _ query: String = "") async throws -> Self {
        try await Self(visitor, "/stream/user?\(query)")
    }

    var connectionID: String { fields["connection-id"] ?? "" }

    /// One frame with its end taken off; an empty one is a keep-alive.
    func rawFrame() async throws -> [UInt8] {
        while true {
            let frame = pending.bytes.withLock { bytes -> [UInt8]? in
                guard let end = bytes.firstRange(of: [13, 10]) else { return nil }
                defer { bytes.removeSubrange(..<end.upperBound) }
                return Array(bytes[..<end.lowerBound])
            }
            if let frame { return frame }
            let size = try await connection.line().trimmingCharacters(in: .whitespacesAndNewlines)
            guard let count = Int(size, radix: 16) else { throw RawConnection.Failure.malformed(size) }
            let bytes = try await connection.read(count: count)
            _ = try await connection.read(count: 2)
            guard count > 0 else { throw RawConnection.Failure.closed }
            pending.bytes.withLock { $0 += bytes }
        }
    }

    func frame() async throws -> TestJSON {
        while true {
            let bytes = try await rawFrame()
            if bytes.isEmpty { continue }
            guard let json = TestJSON.parse(String(decoding: bytes, as: UTF8.self)) else {
                throw RawConnection.Failure.malformed(String(decoding: bytes, as: UTF8.self))
            }
            return json
        }
    }

    /// Whether the server has ended the stream, frames before its end read over.
    func isEnded() async throws -> Bool {
        do {
            while true { _ = try await rawFrame() }
        } catch RawConnection.Failure.closed, RawConnection.Failure.reset {
            return true
        }
    }
}

extension WebSocketClient {
    /// Opens a WebSocket at App.net's port.
    ///
    /// - Throws: `RawConnection.Failure.malformed` with the status line of a refusal.
    init(_ visitor: AppNetVisitor, path: String) async throws {
        try await self.init(port: visitor.running.ready.appNet.userStream.port ?? 0, path: path)
    }
}

/// A user stream over a WebSocket.
struct SocketClient: FrameReader {
    let socket: WebSocketClient
    let connectionID: String

    static func user(_ visitor: AppNetVisitor, _ query: String = "") async throws -> Self {
        let path = "/stream/user?access_token=\(visitor.token ?? "")&\(query)"
        let socket = try await WebSocketClient(visitor, path: path)
        let first = try await socket.json()
        guard first.names == ["meta"], let id = first["meta"]?["connection_id"]?.stringValue
        else { throw RawConnection.Failure.malformed(first.text) }
        return Self(socket: socket, connectionID: id)
    }

    func frame() async throws -> TestJSON { try await socket.json() }
}

extension AppNetVisitor {
    /// The same visitor as the server's first app.
    var asApp: AppNetVisitor {
        var visitor = self
        visitor.token = running.ready.appNet.appToken
        return visitor
    }

    /// Posts a text and gives the post's id.
    @discardableResult
    func say(_ text: String, replyTo: String? = nil) async throws -> String {
        var body: TestJSON = ["text": .string(text)]
        body["reply_to"] = replyTo.map(TestJSON.string)
        let answer = try await post("posts", body)
        guard answer.status == 200, let id = answer["id"]?.stringValue else {
            throw RawConnection.Failure.malformed(answer.text)
        }
        return id
    }

    /// The visitor's own id.
    func myID() async throws -> String {
        guard let id = try await get("users/me")["id"]?.stringValue else {
            throw RawConnection.Failure.malformed("no id")
        }
        return id
    }
}
