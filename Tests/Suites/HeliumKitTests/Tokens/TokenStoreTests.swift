import Foundation
import HeliumFoundation
import Testing

@testable import HeliumKit

@Suite("Token stores", .timeLimit(.minutes(5)))
struct TokenStoreTests {
    @Test("one of many concurrent clears succeeds, and a newer token stays", arguments: [0, 1])
    func compareAndClear(which: Int) async throws {
        let suite = "helium-tests-\(UUID())"
        defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
        let store: any TokenStore = which == 0 ? MemoryTokenStore() : UserDefaultsTokenStore(suiteName: suite)
        let key = testKey("id")
        #expect(try await store.load(key) == nil)
        let old = DeviceRegistration(token: "old", clockOffset: .seconds(3), deviceInfoHash: "h")
        try await store.save(old, for: key)
        #expect(try await store.load(key) == old)
        let cleared = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { try await store.clear(token: "old", for: key) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(cleared == 1)
        #expect(try await store.load(key) == DeviceRegistration(clockOffset: .seconds(3)))
        try await store.save(DeviceRegistration(token: "new"), for: key)
        #expect(try await store.clear(token: "old", for: key) == false)
        #expect(try await store.load(key)?.token == "new")
        try await store.remove(key)
        #expect(try await store.load(key) == nil)
    }

    @Test(
        "the key of a token store has server and secret id in one spelling",
        arguments: [
            ("HTTPS://API.example.com:443/v1/devices", "https://api.example.com/v1/devices"),
            ("http://user:word@api.example.com:8080/v1/devices?a=b#c", "http://api.example.com:8080/v1/devices"),
            ("http://[::1]:80/devices", "http://[::1]/devices"),
        ]
    )
    func keys(url: String, server: String) throws {
        let key = TokenStoreKey(devicesURL: try #require(URL(string: url)), secretID: "id")
        #expect(key.server == server)
    }
}
