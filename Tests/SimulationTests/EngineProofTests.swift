import Testing

/// The engine of MessageBeast under the simulation and the crash test (Docs/Protocols/MessageBeast.md §11.5).
@Suite("Proof of MessageBeast's engine", .timeLimit(.minutes(45)))
struct EngineProofTests {
    /// One process simulates all seeds, and another one the first 100 of them while threads compute.
    @Test(
        """
        300 seeds of 60 operations each lose nothing and double nothing, each kind of event happens, and 100 of them have \
        equal traces under load
        """,
        .behaviour(136)
    )
    func simulation() async throws {
        async let all = Run.simulation(["beast", "--seeds", "300", "--runs", "1"])
        let load = Load()
        let loaded = try await Run.simulation(["beast", "--seeds", "100", "--runs", "1"])
        load.end()
        let runs = [try await all, loaded]
        for run in runs {
            let replay = "replay it with SYSTEM=beast SEED=N CONFIGURATION=debug make simulate"
            #expect(run.status == 0, "\(replay): \(run.failures)")
        }
        let passed = runs.map { $0.output.split(separator: "\n").filter { $0.contains(": passed ") } }
        #expect(passed.map(\.count) == [300, 100])
        #expect(passed[0].prefix(100) == passed[1][...])
    }

    @Test(
        "300 kills, and one at each crash point, lose nothing and double nothing; two processes share an outbox",
        .behaviour(62)
    )
    func crashes() async throws {
        let run = try await Run.crash(["--kills", "300", "--drain", "500"])
        #expect(run.status == 0, "\(run.failures)")
    }
}
