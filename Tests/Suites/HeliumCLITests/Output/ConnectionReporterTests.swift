import HeliumConcurrency
import HeliumWebSocket
import Synchronization
import Testing

@testable import HeliumCLI

@Suite("Reports of live connections")
struct ConnectionReporterTests {
    enum Step: Sendable {
        case lost
        case connected
        case established
    }

    private struct Refused: Error, CustomStringConvertible { var description: String { "closed with 1013" } }

    private static let lost = "helium: no connection, retrying: closed with 1013"
    private static let again = "helium: reconnected"

    /// Returns what a reporter writes.
    private func notes(_ steps: [Step]) -> (lines: [String], reason: String?) {
        let lines = Guarded<[String]>([])
        let reporter = ConnectionReporter { line in lines.withLock { $0.append(line.text) } }
        for step in steps {
            switch step {
            case .lost: reporter.report(.waiting(until: .zero, reason: Refused()))
            case .connected:
                reporter.report(.connecting(attempt: 1))
                reporter.report(.connected)
            case .established: reporter.established()
            }
        }
        return (lines.withLock { $0 }, reporter.reason)
    }

    @Test(
        "a connection is restored when its session is established, not when its socket is open",
        arguments: [
            ([.connected, .established], []), ([.lost, .connected], [lost]),
            ([.lost, .connected, .lost, .connected, .lost], [lost, lost, lost]),
            ([.connected, .established, .lost, .connected, .established], [lost, again]),
            ([.lost, .connected, .established, .established], [lost, again]),
            ([.lost, .connected, .established, .lost, .connected, .lost], [lost, again, lost, lost]),
        ] as [([Step], [String])]
    )
    func established(steps: [Step], lines: [String]) {
        let notes = notes(steps)
        #expect(notes.lines == lines)
        #expect((notes.reason == nil) == (lines.last != Self.lost))
    }

    @Test(
        "the event of a session may come before the state of its socket",
        arguments: [
            ([.established, .connected], []), ([.lost, .established, .connected], [lost, again]),
            ([.connected, .established, .lost, .established, .connected, .lost, .connected], [lost, again, lost]),
            ([.established, .connected, .lost, .connected], [lost]),
        ] as [([Step], [String])]
    )
    func order(steps: [Step], lines: [String]) { #expect(notes(steps).lines == lines) }
}
