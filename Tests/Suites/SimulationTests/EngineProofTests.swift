import Testing

/// The engine of MessageBeast under the simulation and the crash test (Docs/Protocols/MessageBeast.md §11.5).
@Suite("Proof of MessageBeast's engine", .timeLimit(.minutes(45)))
struct EngineProofTests {
    /// Two processes at a time: there may be no more processors. The first 100 seeds are simulated again by another process, which
    /// shares the processors with threads that compute.
    @Test(
        """
        300 random runs of MessageBeast lose nothing and send nothing twice, each kind of event happens, and 100 of them have \
        equal traces in two processes, one of them under load
        """,
        .behaviour(136)
    )
    func simulation() async throws {
        async let second = Self.simulate(101)
        let first = try await Self.simulate(1)
        let others = try await second
        async let third = Self.simulate(201)
        let loaded = try await Self.simulateUnderLoad(1)
        let all = try await [first, others, third]
        for run in all + [loaded] {
            let replay = "replay it with SYSTEM=beast SEED=N CONFIGURATION=debug make simulate"
            #expect(run.status == 0, "\(replay): \(run.failures)")
        }
        #expect(first.output.split(separator: "\n").count { $0.contains(": passed ") } == Self.seedCount)
        #expect(first.output == loaded.output)
        // A process names the kinds that never happened only if it has all seeds.
        var counts: [Substring: Int] = [:]
        for run in all { counts.merge(run.counts) { $0 + $1 } }
        #expect(!counts.isEmpty)
        #expect(counts.filter { $0.value == 0 }.keys.sorted() == [])
    }

    /// The seeds of a process.
    private static let seedCount = 100

    private static func simulate(_ first: Int) async throws -> Run {
        try await Run.simulation(["beast", "--seed", "\(first)", "--seeds", "\(seedCount)", "--runs", "1"])
    }

    /// The load leaves the simulation most of the time, so that `make test` does not take a minute longer.
    private static func simulateUnderLoad(_ first: Int) async throws -> Run {
        let load = Load(niceness: 12)
        defer { load.end() }
        return try await simulate(first)
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
