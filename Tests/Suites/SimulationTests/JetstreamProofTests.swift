import Testing

/// Jetstream's client and server under the simulation (Docs/Internals.md, "Jetstream's simulation").
@Suite("Proof of Jetstream", .timeLimit(.minutes(15)))
struct JetstreamProofTests {
    @Test("after 300 random runs of Jetstream with faults all trees are equal")
    func simulation() async throws {
        let run = try await Run.simulation(["jetstream", "--seeds", "300", "--runs", "1"])
        let replay = "replay it with SYSTEM=jetstream SEED=N CONFIGURATION=debug make simulate"
        #expect(run.status == 0, "\(replay): \(run.failures)")
        // No limit: other machines take several times as long (Docs/Internals.md, "Jetstream's simulation").
        let seconds = (run.processorTime * 10).rounded() / 10
        print("simulation: 300 seeds of jetstream took \(seconds) s of processor time")
        #expect(run.processorTime > 0)
    }

    /// Hashes differ in each process, and the second shares the processors with others.
    @Test("100 random runs of Jetstream have equal traces in two processes, one of them under load")
    func repeats() async throws {
        let arguments = ["jetstream", "--seeds", "100", "--runs", "1"]
        let alone = try await Run.simulation(arguments)
        let load = Load()
        defer { load.end() }
        let loaded = try await Run.simulation(arguments)
        #expect(alone.status == 0 && loaded.status == 0, "\(alone.failures) \(loaded.failures)")
        #expect(alone.output.split(separator: "\n").count { $0.contains(": passed ") } == 100)
        #expect(alone.output == loaded.output)
    }
}
