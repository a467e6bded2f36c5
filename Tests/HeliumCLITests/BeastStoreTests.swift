import Foundation
import TestSupport
import Testing

@Suite("helium beast: databases", .timeLimit(.minutes(5)))
struct BeastStoreTests {
    private typealias World = BeastToolWorld

    @Test("--account keeps the database in the user's folder for state, for its owner alone")
    func account() async throws {
        try await World.run { world in
            let environment = world.environment.merging(["XDG_STATE_HOME": world.path("state")]) { $1 }
            func run(_ arguments: String..., account: String = "alice") async throws -> Tool.Outcome {
                try await Tool.run(["beast"] + arguments + ["--account", account], environment: environment)
            }
            #expect(try await run("init").status == 0)
            #expect(try await run("send", "Tea").status == 0)
            #expect(try await run("list").stdout.contains("Tea"))
            let folder = world.path("state/helium/beast")
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder) == 0o700)
            #expect(try mode(folder + "/alice.sqlite") == 0o600)
            let other = try await run("list", account: "bob")
            #expect(other.status == 1 && other.stderr.contains("there is no database at \(folder)/bob.sqlite"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/bob.sqlite"))
            for name in ["", ".alice", "a/b"] { #expect(try await run("list", account: name).status == 64) }
        }
    }
}
