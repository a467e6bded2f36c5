import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Accounts of App.net", .timeLimit(.minutes(5)))
struct AppNetAccountTests {
    @Test("accounts in a store keep their tokens, profiles and secrets over a restart")
    func persistence() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("appnet-\(UUID().uuidString).sqlite")
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path.path + suffix) }
        }
        var configuration = EmbeddedServerConfiguration()
        configuration.store = path.path
        let first = try await withEmbeddedServer(configuration) { running in
            let alice = AppNetPeer(running)
            try await alice.data("PATCH", "users/me", #"{"name":"Alice A."}"#)
            let channel = try await alice.createChannel()
            try await alice.createMessage("kept", in: channel)
            return running.ready.appNet
        }
        try await withEmbeddedServer(configuration) { running async throws in
            let ready = running.ready.appNet
            #expect(ready.users == first.users && ready.clientSecret == first.clientSecret)
            #expect(ready.appToken == first.appToken && Set(ready.users.map(\.token)).count == 2)
            let alice = AppNetPeer(running)
            #expect(try await alice.get("users/me")["name"] == "Alice A.")
            #expect(try await alice.get("users/me/messages").arrayValue?.first?["text"] == "kept")
        }
    }

    @Test("accounts are read from a file, and the error of an invalid file does not quote it")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("users-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data(
            """
            {"users":[{"name":"zoe","password":"hidden","scopes":["stream"],"tokens":["abcd"],"unknown":1}],
             "apps":[{"client_id":"app","client_secret":"s","password_grant_secret":"p"}]}
            """.utf8
        ).write(to: path)
        let accounts = try AppNetAccounts(contentsOf: path.path)
        #expect(accounts.users.first?.tokens == ["abcd"] && accounts.apps.first?.clientID == "app")
        #expect(!"\(accounts)".contains("hidden") && !String(reflecting: accounts).contains("abcd"))
        for bad in [
            #"{"users":[{"password":"hidden"}]}"#, #"{"users":[{"name":"zoe","password":["hidden"]}]}"#, "hidden",
            #"{"users":[{"name":"not a hidden name"}]}"#, #"{"users":[{"name":"zoe","scopes":["hidden"]}]}"#,
            #"{"users":[]}"#,
        ] {
            try Data(bad.utf8).write(to: path)
            let error = #expect(throws: EmbeddedServerError.self) { try AppNetAccounts(contentsOf: path.path) }
            #expect(error?.description.contains("hidden") == false)
        }
        // The accounts in place of the path of their file.
        let error = #expect(throws: EmbeddedServerError.self) {
            try AppNetAccounts(contentsOf: #"{"users":[{"name":"zoe","password":"hidden"}]}"#)
        }
        #expect(error?.kind == .invalidConfiguration && error?.description.contains("hidden") == false)
    }
}
