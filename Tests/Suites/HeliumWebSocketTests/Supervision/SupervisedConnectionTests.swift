import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumWebSocket

@Suite("Supervised connections", .timeLimit(.minutes(5)))
struct SupervisedConnectionTests {
    private static let lost = HeliumError(
        .connectionLost,
        request: RequestSummary(method: .get, url: "ws://a.test/"),
        delivery: .answered,
        message: "lost"
    )

    private static let refused = HeliumError(
        .invalidConfiguration,
        request: RequestSummary(method: .get, url: "ws://a.test/"),
        delivery: .notSent,
        message: "refused"
    )

    /// The fate of one connection in a script.
    private enum Fate: Sendable {
        case noConnection(HeliumError)
        /// The connection works for a time and then fails.
        case works(HeliumError?, for: Duration = .seconds(30))
        case isUseless(HeliumError?)
    }

    private func run(
        _ fates: [Fate],
        policy: BackoffPolicy = BackoffPolicy(),
        clock: TestClock = TestClock(skippingSleepsUpTo: .seconds(60))
    ) async -> (states: [String], error: any Error, sleeps: [Duration]) {
        let script = Script(fates)
        let connection = SupervisedConnection<Fate>(
            policy: policy,
            clock: clock,
            random: RandomSource { .max }
        ) {
            let fate = script.next() ?? .noConnection(Self.refused)
            if case .noConnection(let error) = fate { throw error }
            return fate
        } use: { fate, confirm in
            switch fate {
            case .works(let error, let time):
                confirm()
                clock.advance(by: time)
                if let error { throw error }
            case .isUseless(let error):
                if let error { throw error }
            case .noConnection: break
            }
        }
        let states = connection.states
        var failure: any Error = CancellationError()
        do { try await connection.run() } catch { failure = error }
        var names: [String] = []
        for await state in states { names.append(Self.name(state)) }
        return (names, failure, clock.requestedSleeps)
    }

    private static func name(_ state: ConnectionState) -> String {
        switch state {
        case .idle: "idle"
        case .connecting(let attempt): "connecting \(attempt)"
        case .connected: "connected"
        case .waiting(_, let reason):
            "waiting\(reason == nil ? "" : " after \((reason as? HeliumError)?.message ?? "?")")"
        case .closed(let reason): "closed\(reason == nil ? "" : " after \((reason as? HeliumError)?.message ?? "?")")"
        }
    }

    @Test("a supervised connection connects again after each end, and reports its states")
    func states() async {
        let (states, error, _) = await run([.works(nil), .noConnection(Self.lost), .works(Self.lost)])
        #expect(
            states == [
                "idle", "connecting 1", "connected", "waiting", "connecting 2", "waiting after lost", "connecting 3",
                "connected", "waiting after lost", "connecting 2", "closed after refused",
            ]
        )
        #expect((error as? HeliumError)?.kind == .invalidConfiguration)
    }

    @Test("a supervised connection waits longer with each failure, and briefly after one that worked")
    func waits() async {
        let lost = Fate.noConnection(Self.lost)
        let (_, _, sleeps) = await run([lost, lost, .isUseless(Self.lost), lost, .works(Self.lost), lost])
        let almost = sleeps.map { ($0 / .milliseconds(1)).rounded() }
        #expect(almost == [500, 1000, 2000, 4000, 500, 1000])
    }

    @Test("a supervised connection waits longer for a server that accepts and hangs up")
    func flapping() async {
        let short = Fate.works(Self.lost, for: .milliseconds(10))
        let (_, _, sleeps) = await run([short, short, short, short, .works(nil, for: .seconds(8)), short])
        let almost = sleeps.map { ($0 / .milliseconds(1)).rounded() }
        // Lasting twice as long as the last wait's ceiling ends the row.
        #expect(almost == [500, 1000, 2000, 4000, 500, 1000])
    }

    @Test("a supervised connection respects the delay that the server asks for", arguments: [429, 503])
    func serverDelay(status: Int) async {
        func refusal(_ seconds: String) -> Fate {
            var error = HeliumError(
                .unacceptableStatus,
                request: RequestSummary(method: .get, url: "ws://a.test/"),
                delivery: .answered,
                message: "refused"
            )
            error[fact: \.head] = ResponseHead(status: status, fields: [.retryAfter: seconds])
            return .noConnection(error)
        }
        let clock = TestClock(skippingSleepsUpTo: .seconds(7200))
        let (_, _, sleeps) = await run([refusal("20"), refusal("86400"), .noConnection(Self.lost)], clock: clock)
        let almost = sleeps.map { ($0 / .milliseconds(1)).rounded() }
        #expect(almost == [20_500, 3_601_000, 2000])
    }

    @Test("a supervised connection gives up by its policy, with the last failure")
    func givesUp() async {
        var policy = BackoffPolicy()
        policy.maximumFailures = 3
        let lost = Fate.noConnection(Self.lost)
        let (states, error, sleeps) = await run([lost, lost, lost, lost], policy: policy)
        #expect(sleeps.count == 2 && states.last == "closed after lost")
        #expect((error as? HeliumError)?.kind == .connectionLost)
    }

    @Test("a supervised connection is cancelled while it waits")
    func cancelled() async throws {
        let clock = TestClock()
        let connection = SupervisedConnection<Int>(clock: clock, random: RandomSource { .max }) {
            throw Self.lost
        } use: { _, _ in
        }
        let states = connection.states
        let running = Task { try await connection.run() }
        await clock.waitForSleepers()
        guard case .waiting(let until, _) = connection.state else {
            Issue.record("not waiting but \(connection.state)")
            return
        }
        #expect(until > clock.wallTime && until <= clock.wallTime + .milliseconds(500))
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        var last: ConnectionState?
        for await state in states { last = state }
        #expect(last?.isClosed == true)
        #expect(connection.state.isClosed)
    }

    @Test(
        "a supervised connection connects again after transient errors and one of size only",
        arguments: [
            (FailureKind.connectionLost, true), (.closedByPeer, true), (.ceilingExceeded, true), (.tlsFailed, false),
            (.clientClosed, false),
        ]
    )
    func passing(kind: FailureKind, passes: Bool) async {
        let error = HeliumError(
            kind,
            request: RequestSummary(method: .get, url: "ws://a.test/"),
            delivery: .notSent,
            message: "first"
        )
        let (states, _, _) = await run([.noConnection(error)])
        #expect(states.contains("waiting after first") == passes)
    }

    private final class Script: Sendable {
        private let fates: Guarded<[Fate]>
        init(_ fates: [Fate]) { self.fates = Guarded(fates) }
        func next() -> Fate? { fates.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }
}
