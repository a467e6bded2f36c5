import TestSupport
import Testing

/// Jetstream's client and server under the simulation (Docs/Internals.md, "Jetstream's simulation"). `make simulate` is longer.
@Suite("Proof of Jetstream", .timeLimit(.minutes(20)))
struct JetstreamProofTests {
    /// Hashes differ in each process, and the second shares the processors with others.
    @Test(
        """
        after random runs of Jetstream with faults all trees are equal, and the traces are equal in two processes, one of them \
        under load
        """,
        .tags(.random, .alone)
    )
    func simulation() async throws {
        let seedCount = ProofLength.count(4, full: 200)
        let arguments = ["jetstream", "--seed", Run.seed, "--seeds", "\(seedCount)", "--runs", "1"]
        let alone = try await Run.simulation(arguments)
        let load = Load(niceness: 12)
        defer { load.end() }
        let loaded = try await Run.simulation(arguments)
        for run in [alone, loaded] {
            let replay = "replay it with SYSTEM=jetstream SEED=N CONFIGURATION=debug make simulate"
            #expect(run.status == 0, "\(replay): \(run.failures)")
            #expect(run.passed == seedCount && !run.counts.isEmpty)
        }
        #expect(alone.output == loaded.output)
    }

    @Test("the simulation of Jetstream finds a server that sends wrong values")
    func findsFaults() async throws {
        let run = try await Run.simulation(["fault-jetstream", "--runs", "1"])
        #expect(run.status == 1 && run.output.hasPrefix("simulation: FAILED fault-jetstream seed 1: "), "\(run.output)")
        #expect(run.output.contains("'s tree differs from the server's: "), "\(run.output)")
    }
}
