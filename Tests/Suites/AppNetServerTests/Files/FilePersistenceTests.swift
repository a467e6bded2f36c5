import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Files of App.net in a store", .timeLimit(.minutes(5)))
struct FilePersistenceTests {
    @Test("files, their URLs and tokens in a store are there after a restart")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = EmbeddedServerConfiguration()
        configuration.store = folder.appendingPathComponent("store.sqlite").path
        var path = ""
        var id = ""
        try await withEmbeddedServer(configuration) { running in
            let alice = AppNetVisitor(running: running, token: running.ready.appNet.users[0].token)
            let created = try await alice.multipart(
                "POST",
                "files",
                [FormPart("type", "a.b"), FormPart("content", "hello", file: "h.txt", type: "text/plain")]
            )
            id = try #require(created["id"]?.stringValue)
            path = try #require(created["url"]?.stringValue).replacing(alice.root, with: "")
        }
        try await withEmbeddedServer(configuration) { running in
            let alice = AppNetVisitor(running: running, token: running.ready.appNet.users[0].token)
            #expect(try await alice.get("files/\(id)")["size"] == .integer(5))
            #expect(try await alice.request("GET", target: path).text == "hello")
            let next = try await alice.post("files", ["type": "a.b"])
            #expect(next["id"]?.stringValue.flatMap { Int($0) } ?? 0 > Int(id) ?? 0)
        }
    }

    @Test("an upload that is cut leaves no file")
    func cut() async throws {
        try await withVisitors { alice, _ async throws in
            let token = try #require(alice.token)
            let body = Array(
                ("--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\na.b\r\n--b\r\n"
                    + "Content-Disposition: form-data; name=\"content\"; filename=\"a\"\r\n\r\nhello\r\n--b--\r\n").utf8
            )
            let whole = Peer.bytes(
                "POST",
                "/stream/0/files",
                host: "127.0.0.1:\(alice.port)",
                fields: [("Authorization", "Bearer \(token)"), ("Content-Type", "multipart/form-data; boundary=b")],
                body: body
            )
            for missing in stride(from: 1, to: body.count, by: 23) {
                let connection = try RawConnection(port: alice.port)
                try await connection.send(Array(whole.dropLast(missing)))
            }
            #expect(try await alice.get("users/me/files").ids == [])
            let connection = try RawConnection(port: alice.port)
            try await connection.send(whole)
            #expect(try await connection.answer().status == 200)
            #expect(try await alice.get("users/me/files").ids.count == 1)
        }
    }
}
