import Foundation
import HeliumDatabase
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Store of Cosm", .timeLimit(.minutes(5)))
struct CosmPersistenceTests {
    @Test("feeds, keys, triggers and users of Cosm are there after a restart, with the master key")
    func survives() async throws {
        try await withTemporaryFolder { folder in
            var configuration = EmbeddedServerConfiguration()
            configuration.store = folder.appendingPathComponent("server.sqlite").path
            let (key, reader, documents) = try await withEmbeddedServer(configuration) { running in
                let peer = CosmPeer(running)
                try await peer.createFeed(
                    #"{"title":"T","tags":["a","b"],"location":{"disposition":"mobile","lat":1,"lon":2},"#
                        + #""datastreams":[{"id":"z","current_value":"7","tags":"x,y"},{"id":"a"}]}"#
                )
                let trigger =
                    #"{"environment_id":1,"stream_id":"z","url":"http://h/","trigger_type":"gt","threshold_value":5}"#
                #expect(try await peer.post("/triggers", trigger).status == 201)
                let reader = try await peer.createKey(
                    #"{"key":{"label":"r","permissions":[{"access_methods":["get"]}]}}"#
                )
                #expect(try await peer.post("/users", #"{"user":{"login":"ann","about":"me"}}"#).status == 201)
                try await peer.createFeed(#"{"title":"gone"}"#)
                #expect(try await peer.delete("/feeds/2").status == 200)
                return (peer.key, reader, try await Self.documents(peer))
            }
            try await withEmbeddedServer(configuration) { running async throws in
                #expect(running.ready.cosm.key == key)
                let peer = CosmPeer(running)
                #expect(try await Self.documents(peer) == documents)
                #expect(try await CosmPeer(running, key: reader).get("/feeds/1").status == 200)
                #expect(try await peer.createFeed() == 3)
            }
            configuration.cosm.masterKey = "another-master-key"
            try await withEmbeddedServer(configuration) { running async throws in
                #expect(running.ready.cosm.key == "another-master-key")
                #expect(try await CosmPeer(running).get("/keys").status == 200)
                #expect(try await CosmPeer(running, key: key).get("/feeds").status == 401)
            }
        }
    }

    /// Returns all readable documents, without the ports in URLs.
    private static func documents(_ peer: CosmPeer) async throws -> [String] {
        var texts: [String] = []
        for path in ["/feeds/1?limit=10", "/triggers", "/keys", "/users", "/feeds"] {
            texts.append(try await peer.document(path).text.replacing(":\(peer.port)", with: ""))
        }
        return texts
    }

    @Test("two stores of Cosm have different master keys, and a configured key is used")
    func keys() async throws {
        let first = try await withEmbeddedServer { $0.ready.cosm.key }
        let second = try await withEmbeddedServer { $0.ready.cosm.key }
        #expect(first != second)
        #expect(first.utf8.count == 48)
        var configuration = EmbeddedServerConfiguration()
        configuration.cosm.masterKey = "my-own-master-key"
        let own = try await withEmbeddedServer(configuration) { $0.ready.cosm.key }
        #expect(own == "my-own-master-key")
    }

    @Test(
        "an invalid configuration of Cosm is refused",
        arguments: [
            { $0.prefix = "v2" }, { $0.prefix = "/v2/" }, { $0.prefix = "" }, { $0.masterKey = "short" },
            { $0.masterKey = "with a space in it" }, { $0.owner = "" }, { $0.firstFeedID = 0 }, { $0.tcpPort = 65_536 },
            { $0.tcpPort = -1 }, { $0.rateLimit = CosmRateLimit(requests: 0) }, { $0.maxima.feeds = 0 },
            { $0.rateLimit = CosmRateLimit(secondsBetweenUpdates: 0) },
        ] as [@Sendable (inout CosmConfiguration) -> Void]
    )
    func refusals(_ change: @Sendable (inout CosmConfiguration) -> Void) {
        var configuration = EmbeddedServerConfiguration()
        change(&configuration.cosm)
        let error = #expect(throws: EmbeddedServerError.self) { try EmbeddedServer(configuration) }
        #expect(error?.kind == .invalidConfiguration)
    }

    @Test("a port of Cosm that is in use is an error of the start")
    func takenPort() async throws {
        try await withEmbeddedServer { running in
            var configuration = EmbeddedServerConfiguration()
            configuration.cosm.tcpPort = running.ready.cosm.tcp.split(separator: ":").last.flatMap { Int($0) } ?? 0
            let server = try EmbeddedServer(configuration)
            let error = await #expect(throws: EmbeddedServerError.self) { try await server.run() }
            #expect(error?.kind == .cannotListen)
        }
    }

    @Test("a failed transaction leaves Cosm's store unchanged, in a file and in memory", arguments: [false, true])
    func rollsBack(inFile: Bool) async throws {
        try await withTemporaryFolder { folder in
            let path = inFile ? folder.appendingPathComponent("s.sqlite").path : nil
            let database = try ServerStore(path: path, protocols: [CosmService.self]).database(CosmService.self)
            let store = try CosmStore(DatabaseAccess(database), configuration: CosmConfiguration())
            struct Stop: Error {}
            await #expect(throws: Stop.self) {
                try await store.write { database in
                    try SettingTable(database: database).set("x", "1")
                    throw Stop()
                } publish: { (_: Void, _) in
                    Issue.record("published what was not committed")
                }
            }
            #expect(try await store.read { try SettingTable(database: $0).value("x") } == nil)
            let number = try await store.write {
                try SettingTable(database: $0).next("n", first: 7, above: 0)
            } publish: { number, _ in
                #expect(number == 7)
            }
            #expect(number == 7)
            #expect(try await store.read { try SettingTable(database: $0).value("n") } == "8")
        }
    }
}
