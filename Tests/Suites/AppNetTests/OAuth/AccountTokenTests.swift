import AppNet
import Foundation
import HeliumKit
import Testing

@Suite("Tokens of App.net's accounts")
struct AccountTokenTests {
    private let service = URL(string: "http://adn.test/stream/0/") ?? URL(fileURLWithPath: "/")

    @Test("tokens are stored by account and service, and deleted")
    func accounts() async throws {
        let store = MemoryTokenStore()
        let tokens = AccountTokens(in: store, service: service)
        let others = AccountTokens(in: store, service: try #require(AppNetDialect.pnut.baseURL))
        #expect(try await tokens.token(for: "alice") == nil)
        try await tokens.save("one", for: "alice")
        try await tokens.save("two", for: "bob")
        try await others.save("three", for: "alice")
        #expect(try await tokens.token(for: "alice")?.value == "one")
        #expect(try await tokens.token(for: "bob")?.value == "two")
        #expect(try await others.token(for: "alice")?.value == "three")
        try await tokens.remove("alice")
        #expect(try await tokens.token(for: "alice") == nil)
        #expect(try await others.token(for: "alice")?.value == "three")
    }

    @Test("a file of tokens is readable for its owner only")
    func file() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("tokens.json").path
        try await AccountTokens(in: FileTokenStore(at: path), service: service).save("secret-token-1", for: "alice")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(
            try await AccountTokens(in: FileTokenStore(at: path), service: service).token(for: "alice")?.value
                == "secret-token-1"
        )
    }

    @Test("a store of tokens that fails is an error, which shows no token")
    func failing() async throws {
        let tokens = AccountTokens(in: FileTokenStore(at: "/nowhere/at/all/tokens.json"), service: service)
        let error = try #require(await AppNetError.thrown { try await tokens.save("secret-token-1", for: "alice") })
        #expect(error.kind == .tokenStoreFailed && !"\(error)".contains("secret-token"))
        // What no field could carry is no token.
        let file = AccountTokens(
            in: FileTokenStore(at: FileManager.default.temporaryDirectory.path + "/x"),
            service: service
        )
        let odd = try #require(await AppNetError.thrown { try await file.save("a\nb", for: "alice") })
        #expect(odd.kind == .tokenStoreFailed)
    }
}
