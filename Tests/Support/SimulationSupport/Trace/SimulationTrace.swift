package import Foundation
internal import HeliumConcurrency
internal import HeliumCrypto
internal import Synchronization

/// Everything that happened in a simulation, a line each. Two runs of one seed have the same trace.
package final class SimulationTrace: Sendable {
    private struct State {
        var lines: [String] = []
        var events = 0
        var counts: [String: Int] = [:]
    }

    private let state = Guarded(State())

    package init() {}

    /// The lines so far.
    package var lines: [String] { state.withLock { $0.lines } }

    /// The number of lines besides those of the clock: what counts as progress.
    package var eventCount: Int { state.withLock { $0.events } }

    /// The number of events of each kind.
    package var counts: [String: Int] { state.withLock { $0.counts } }

    /// Counts an event of a kind. It is no line.
    package func count(_ kind: String) { state.withLock { $0.counts[kind, default: 0] += 1 } }

    /// The SHA-256 of the lines.
    package var digest: String { SHA256.hash(lines.joined(separator: "\n").utf8).hex }

    /// A request that leaves, and the SHA-256 of its body.
    package func request(_ number: Int, _ method: String, _ target: String, body: Data) {
        event("request \(number): \(method) \(target) \(Self.summary(of: body))")
    }

    /// The response to a request.
    package func response(_ number: Int, status: Int, body: Data) {
        event("response \(number): \(status) \(Self.summary(of: body))")
    }

    /// A request that failed.
    package func failure(_ number: Int, _ text: String) { event("failure \(number): \(text)") }

    /// A committed transaction: the store's name and its changes.
    package func transaction(_ name: String, _ changes: String) { event("transaction \(name): \(changes)") }

    /// The end of an incarnation. It is counted, and once more by its place.
    package func kill(_ name: String, _ place: String) {
        count("killed")
        count("killed: \(place)")
        event("kill \(name): \(place)")
    }

    /// A step of the clock. It is no progress.
    package func step(to uptime: Duration) { state.withLock { $0.lines.append("clock: \(uptime)") } }

    /// Whatever else happened.
    package func event(_ line: String) {
        state.withLock { state in
            state.lines.append(line)
            state.events += 1
        }
    }

    /// The first line that differs from another trace's; `nil` if they are equal.
    package func difference(from other: SimulationTrace) -> String? {
        let (left, right) = (lines, other.lines)
        for index in 0..<max(left.count, right.count) {
            let (one, two) = (index < left.count ? left[index] : "(end)", index < right.count ? right[index] : "(end)")
            if one != two { return "line \(index + 1): \(one) | \(two)" }
        }
        return nil
    }

    private static func summary(of body: Data) -> String { body.isEmpty ? "-" : SHA256.hash(body).hex }
}
