import Foundation
import TestSupport
import Testing

/// The current folder belongs to a process, so each command is a process of its own.
@Suite("Names of database files", .timeLimit(.minutes(5)))
struct DatabaseNameTests {
    /// Names that SQLite reads as a URI or as a database in memory, unless they are absolute paths.
    static let names = ["file:x.sqlite", "file:x.sqlite?mode=memory", ":memory:"]

    private func run(_ process: Process, in folder: URL) async throws -> Tool.Outcome {
        process.currentDirectoryURL = folder
        return try await Tool.run(process)
    }

    /// Expects that the data is in the file of this name, and that only its owner can read it.
    private func expectStore(_ name: String, in folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.contains(name) && files.allSatisfy { $0.hasPrefix(name) }, "\(files)")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try #require(attributes[.size] as? Int) > 0, "\(name)")
    }

    @Test("--cache of helium conair is a path with any name", arguments: names)
    func cache(name: String) async throws {
        try await ConAirToolWorld.with { world in
            try await world.store(20, world.step(ago: 2))
            for _ in 0..<2 {
                let fetch = world.process(["fetch", "--format", "csv", "--cache", name])
                let outcome = try await run(fetch, in: world.folder)
                #expect(
                    outcome.status == 0 && outcome.stderr == "" && outcome.stdout.hasSuffix(",20.0\n"),
                    "\(outcome)"
                )
                try expectStore(name, in: world.folder)
            }
        }
    }

    @Test("--db of helium beast is a path with any name", arguments: names)
    func database(name: String) async throws {
        try await BeastToolWorld.run { world in
            func beast(_ arguments: String...) async throws -> Tool.Outcome {
                let process = Tool.process(["beast"] + arguments + ["--db", name], environment: world.environment)
                return try await run(process, in: world.folder)
            }
            let created = try await beast("init")
            #expect(created.status == 0, "\(created)")
            try expectStore(name, in: world.folder)
            for command in ["outbox", "doctor"] {
                let outcome = try await beast(command)
                #expect(outcome.status == 0, "\(outcome)")
            }
            try expectStore(name, in: world.folder)
        }
    }

    @Test("--store of helium serve is a path with any name", arguments: names)
    func store(name: String) async throws {
        try await withTemporaryFolder { folder in
            for _ in 0..<2 {
                let process = Tool.process(["serve", "--port", "0", "--store", name])
                process.currentDirectoryURL = folder
                let tool = try RunningTool(starting: process)
                #expect(try await tool.line().contains("conair"))
                #expect(try await tool.end(SIGTERM) == 0)
            }
            try expectStore(name, in: folder)
        }
    }
}
