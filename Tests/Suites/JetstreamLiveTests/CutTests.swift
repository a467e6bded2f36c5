import JetstreamSoak
import TestSupport
import Testing

@Suite("Sockets that are cut under load", .timeLimit(.minutes(5)))
struct CutTests {
    @Test(
        "all trees are equal after many cuts, each change set was applied once, and nothing is pending",
        .tags(.random)
    )
    func cuts() async throws {
        let report = try await JetstreamSoak(cuts: ProofLength.count(20, full: 300), seed: ProofLength.seed(7)).run()
        #expect(report.wrong.isEmpty)
        #expect(report.setCount > 20 && report.refusedCount > 0)
    }
}
