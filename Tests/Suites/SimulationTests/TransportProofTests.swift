import TestSupport
import Testing

/// The transport's loop under the simulation (Docs/Internals.md, "The transport's simulation"). `make simulate` is
/// longer.
@Suite("Proof of the transport", .timeLimit(.minutes(20)))
struct TransportProofTests {
    @Test(
        """
        in random runs against simulated servers, each call gets its own response or an error that is true, and \
        nothing is left
        """,
        .tags(.random)
    )
    func simulation() async throws {
        let seedCount = ProofLength.count(150, full: 2_000)
        let arguments = ["transport", "--seed", Run.seed, "--seeds", "\(seedCount)", "--runs", "1"]
        let run = try await Run.simulation(arguments)
        let replay = "replay it with SYSTEM=transport SEED=N CONFIGURATION=debug make simulate"
        #expect(run.status == 0, "\(replay): \(run.failures)")
        #expect(run.passed == seedCount && !run.counts.isEmpty)
    }

    @Test("random runs of the transport have equal traces")
    func repeats() async throws {
        let run = try await Run.simulation(["transport", "--seed", "7", "--seeds", "10", "--runs", "2"])
        #expect(run.status == 0, "\(run.output)")
    }
}
