import Foundation
import TestSupport
import Testing

@Suite("First connections of a Jetstream server")
struct FirstConnectionTests {
    /// Without `PreparedTypes` of HeliumServerKit, one server in some thousands ends with a segmentation fault.
    @Test("a process that has just started serves connections that come at the same time", .tags(.random))
    func atTheSameTime() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "jetstream-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scopes = folder.appending(path: "scopes.json")
        try Data(#"{"classes":{"Board":{"properties":{}}},"scopes":{"Board":{"root":"Board"}}}"#.utf8).write(to: scopes)
        for number in 0..<ProofLength.count(3, full: 1_000) {
            let store = folder.appending(path: "store.sqlite").path
            let server = try await ServerProcess.start(scopes: scopes.path, store: store)
            let port = try #require(server.url.port)
            let sockets = try (0..<8).map { _ in try RawSocket(port: port) }
            for socket in sockets { try? socket.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") }
            for socket in sockets { #expect((try? socket.line())?.hasPrefix("HTTP/1.1 ") == true) }
            #expect(!server.hasEnded)
            server.killNow()
            #expect(await server.waitForEnd() == .killed, "server \(number): \(server.errorText)")
        }
    }
}
