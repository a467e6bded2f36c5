import JetstreamSoak
import Testing

@Suite("Sockets that are cut under load", .timeLimit(.minutes(5)))
struct CutTests {
    @Test("all trees are equal after 100 cuts, each change set was applied once, and nothing is pending")
    func cuts() async throws {
        let report = try await JetstreamSoak(cuts: 100, seed: 7).run()
        #expect(report.wrong.isEmpty)
        #expect(report.setCount > 100 && report.refusedCount > 0)
    }
}
