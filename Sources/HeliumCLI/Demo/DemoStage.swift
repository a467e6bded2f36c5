import Foundation

/// Why a step of the demonstration failed.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Runs steps one by one, times them, prints each on a line, and counts.
struct DemoStage {
    private(set) var steps = 0
    private(set) var failures = 0
    private let clock = ContinuousClock()

    /// Runs a step; what it returns is printed beside its name.
    mutating func step(_ name: String, _ work: () async throws -> String) async {
        _ = await value(name) { ("", try await work()) }
    }

    /// Runs a step that later ones need something of.
    mutating func value(_ name: String, _ work: () async throws -> (String, String)) async -> String {
        steps += 1
        let start = clock.now
        var value = ""
        do {
            let (result, detail) = try await work()
            value = result
            show(name, since: start, mark: "ok    ", detail)
        } catch {
            failures += 1
            show(name, since: start, mark: "FAILED", String(describing: error))
        }
        return value
    }

    /// `demo: N steps, 0 failed`.
    var summary: String { "demo: \(steps) steps, \(failures) failed" }

    private func show(_ name: String, since start: ContinuousClock.Instant, mark: String, _ detail: String) {
        let milliseconds = start.duration(to: clock.now) / .milliseconds(1)
        let time = String(format: "%8.1f ms", milliseconds)
        let padded = name.padding(toLength: max(48, name.count), withPad: " ", startingAt: 0)
        // The summary fails for the same reason.
        try? Console.print("\(mark) \(time)  \(padded) \(detail)")
    }
}

/// Fails a step unless something is as it should be.
func expect(_ condition: Bool, _ otherwise: String) throws {
    if !condition { throw DemoFailure(otherwise) }
}
