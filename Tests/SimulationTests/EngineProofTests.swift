import Testing

/// The engine of MessageBeast under the simulation and the crash test (Docs/Protocols/MessageBeast.md §11.5).
@Suite("Proof of MessageBeast's engine", .timeLimit(.minutes(45)))
struct EngineProofTests {
    /// Two processes at a time: there may be no more processors. The seeds of the first two are simulated twice, and have equal
    /// traces.
    @Test(
        "300 random runs of MessageBeast lose nothing and send nothing twice, and are repeatable",
        .behaviour(136)
    )
    func simulation() async throws {
        async let first = Self.simulate(1, 50, runs: 2)
        async let second = Self.simulate(51, 50, runs: 2)
        let repeated = try await [first, second]
        async let third = Self.simulate(101, 100)
        async let fourth = Self.simulate(201, 100)
        for run in repeated + (try await [third, fourth]) {
            let replay = "replay it with SYSTEM=beast SEED=N CONFIGURATION=debug make simulate"
            #expect(run.status == 0, "\(replay): \(run.failures)")
        }
    }

    private static func simulate(_ first: Int, _ count: Int, runs: Int = 1) async throws -> Run {
        try await Run.simulation([
            "beast", "--seed", "\(first)", "--seeds", "\(count)", "--runs", "\(runs)",
        ])
    }

    @Test(
        "300 kills of MessageBeast, and one at each crash point, lose nothing and send nothing twice",
        .behaviour(62)
    )
    func crashes() async throws {
        let run = try await Run.crash(["--kills", "300", "--drain", "500"])
        #expect(run.status == 0, "\(run.failures)")
    }
}
