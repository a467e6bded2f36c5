import Foundation
import Testing

/// Runs the simulation runner as a process: the hooks of its scheduler are the process's.
@Suite("Simulation runner", .timeLimit(.minutes(5)))
struct RunnerTests {
    @Test("runs of one seed have equal traces, also in two processes")
    func repeats() async throws {
        let runs = try await (
            Run.simulation(["spike", "--seed", "5", "--runs", "30"]),
            Run.simulation(["spike", "--seed", "5", "--runs", "2"])
        )
        #expect(runs.0.status == 0 && runs.1.status == 0, "\(runs.0.output) \(runs.1.output)")
        let digests = [runs.0, runs.1].map { $0.output.split(whereSeparator: \.isWhitespace).last }
        #expect(digests[0] == digests[1] && digests[0]?.count == 64)
    }

    @Test("runs of other seeds have other traces")
    func differs() async throws {
        let run = try await Run.simulation(["spike", "--seeds", "12"])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.split(separator: "\n").count == 12)
    }

    @Test(
        "a task that the simulation does not control fails the seed",
        arguments: ["yield", "sleep", "hang", "thread"]
    )
    func findsFaults(name: String) async throws {
        let run = try await Run.simulation(["fault-\(name)", "--seed", "3"])
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("simulation: FAILED fault-\(name) seed 3: "), "\(run.output)")
    }

    @Test(
        "invalid arguments of the simulation runner exit with 2",
        arguments: [[], ["nothing"], ["spike", "--seed"], ["spike", "--more", "1"]]
    )
    func refusesArguments(arguments: [String]) async throws { #expect(try await Run.simulation(arguments).status == 2) }
}
