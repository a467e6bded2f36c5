import TestSupport
import Testing

/// The engine of MessageBeast under the simulation and the crash test (Docs/Protocols/MessageBeast.md §11.5). `make simulate`
/// and `make crash` are longer.
@Suite("Proof of MessageBeast's engine", .timeLimit(.minutes(20)))
struct EngineProofTests {
    /// Both processes at a time: each is the other's load.
    @Test(
        """
        random runs of MessageBeast lose nothing and send nothing twice, and have equal traces in two processes, one of them \
        under load
        """,
        .tags(.random, .alone),
        .behaviour(136)
    )
    func simulation() async throws {
        async let second = Self.simulateUnderLoad()
        let runs = [try await Self.simulate(), try await second]
        for run in runs {
            let replay = "replay it with SYSTEM=beast SEED=N CONFIGURATION=debug make simulate"
            #expect(run.status == 0, "\(replay): \(run.failures)")
            #expect(run.passed == Self.seedCount && !run.counts.isEmpty)
        }
        #expect(runs[0].output == runs[1].output)
    }

    @Test("the simulation of MessageBeast finds a server that loses messages")
    func findsFaults() async throws {
        let run = try await Run.simulation(["fault-beast", "--runs", "1"])
        #expect(run.status == 1 && run.output.hasPrefix("simulation: FAILED fault-beast seed 1: "), "\(run.output)")
        #expect(run.output.contains("was created, and is neither live nor parked"), "\(run.output)")
    }

    /// The seeds of a process.
    private static let seedCount = ProofLength.count(2, full: 100)

    private static func simulate() async throws -> Run {
        try await Run.simulation(["beast", "--seed", Run.seed, "--seeds", "\(seedCount)", "--runs", "1"])
    }

    private static func simulateUnderLoad() async throws -> Run {
        let load = Load(niceness: 12)
        defer { load.end() }
        return try await simulate()
    }

    @Test(
        "kills of MessageBeast, at random moments and at crash points, lose nothing and send nothing twice",
        .tags(.random),
        .behaviour(62)
    )
    func crashes() async throws {
        let (points, kills) = (ProofLength.count(2, full: 100), ProofLength.count(4, full: 200))
        let arguments = ["--points", "\(points)", "--kills", "\(kills)", "--seed", Run.seed, "--drain", "40"]
        let run = try await Run.crash(arguments)
        #expect(run.status == 0, "\(run.failures)")
    }
}
