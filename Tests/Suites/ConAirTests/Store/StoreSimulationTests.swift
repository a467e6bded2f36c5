import TestSupport
import Testing

@Suite("A store against a server in memory", .timeLimit(.minutes(5)))
struct StoreSimulationTests {
    @Test(
        "a simulated store ends with the server's points, and reports each change once",
        .tags(.random),
        arguments: 0..<ProofLength.count(1)
    )
    func seeds(hundred: Int) async throws {
        var tally = StoreSimulation.Tally()
        for seed in 0..<100 {
            let seed = ProofLength.seed(UInt64(hundred * 100 + seed))
            var simulation = try StoreSimulation(seed: seed)
            try await simulation.run()
            #expect(simulation.faults.isEmpty, "seed \(seed): \(simulation.faults)")
            tally += simulation.tally
        }
        #expect(tally.removedBatches > 0 && tally.renewals > 0, "\(tally)")
        #expect(tally.parts > 0 && tally.failedParts > 0, "\(tally)")
    }
}
