import Foundation
import HeliumKit

/// The failure of a step of the demonstration.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Runs steps one after the other, measures their times, prints a line for each and counts them.
struct DemoStage {
    private(set) var steps = 0
    private(set) var failures = 0
    private let clock = CommandContext.current.clock

    /// Runs a step, unless a signal has interrupted the demonstration. Its result is printed next to its name.
    mutating func step(_ name: String, _ work: () async throws -> String) async {
        _ = await value(name) { ("", try await work()) }
    }

    /// Runs a step whose first result is needed by later steps.
    mutating func value(_ name: String, _ work: () async throws -> (String, String)) async -> String {
        if Task.isCancelled { return "" }
        steps += 1
        let start = clock.uptime
        var value = ""
        do {
            let (result, detail) = try await work()
            value = result
            show(name, since: start, mark: "ok    ", detail)
        } catch {
            if Task.isCancelled { return "" }
            failures += 1
            show(name, since: start, mark: "FAILED", String(describing: error))
        }
        return value
    }

    /// The text `demo: N steps, 0 failed`.
    var summary: OutputText { "demo: \(steps) steps, \(failures) failed" }

    private func show(_ name: String, since start: Duration, mark: String, _ detail: String) {
        let milliseconds = (clock.uptime - start) / .milliseconds(1)
        let time = String(format: "%8.1f ms", milliseconds)
        let padded = name.padding(toLength: max(48, name.count), withPad: " ", startingAt: 0)
        // If this cannot be printed, printing the summary fails for the same reason.
        try? Console.current.print("\(mark) \(time)  \(padded) \(detail)")
    }
}

/// Fails a step if a condition is not met.
func expect(_ condition: Bool, _ otherwise: String) throws {
    if !condition { throw DemoFailure(otherwise) }
}
