import HeliumConcurrency
import Testing

@testable import HeliumWebSocket

@Suite("Back-off of reconnections")
struct BackoffTests {
    @Test("the maximum delay doubles up to the highest")
    func doubling() {
        var backoff = Backoff(BackoffPolicy())
        let waits = (0..<9).compactMap { _ in backoff.failed(random: 1) }
        let expected = [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { Duration.seconds($0) }
        #expect(waits == expected)
    }

    @Test("a delay is random between zero and the maximum", arguments: [0, 0.25, 0.5, 1, -3, 7])
    func jitter(random: Double) {
        var backoff = Backoff(BackoffPolicy())
        #expect(backoff.failed(random: random) == .seconds(0.5 * min(max(random, 0), 1)))
    }

    @Test("a delay is at least what the server asks, with jitter, up to the policy's maximum")
    func asked() {
        var policy = BackoffPolicy()
        policy.maximumServerDelay = .seconds(60)
        var backoff = Backoff(policy)
        #expect(backoff.failed(random: 0, asked: .seconds(7)) == .seconds(7))
        #expect(backoff.failed(random: 1, asked: .seconds(7)) == .seconds(8))
        #expect(backoff.failed(random: 0, asked: .seconds(61)) == .seconds(60))
        #expect(backoff.failed(random: 0, asked: .seconds(-1)) == .zero)
        policy.maximumServerDelay = .seconds(Int64.max / 4)
        var endless = Backoff(policy)
        #expect(endless.failed(random: 1, asked: .seconds(86_400)) == .seconds(86_400.5))
    }

    @Test("the back-off is reset when a connection has worked")
    func confirmed() {
        var backoff = Backoff(BackoffPolicy())
        for _ in 0..<5 { _ = backoff.failed(random: 1) }
        backoff.confirm()
        #expect(backoff.failed(random: 1) == .milliseconds(500))
    }

    @Test(
        "the back-off is reset after a connection that lasted",
        arguments: [
            (30, false, true), (30, true, true), (29, false, false), (16, true, true), (15, true, false),
            (0, true, false),
        ]
    )
    func lasted(seconds: Int, provedToWork: Bool, begins: Bool) {
        var backoff = Backoff(BackoffPolicy())
        for _ in 0..<5 { _ = backoff.failed(random: 0.001) }
        // The last ceiling was 8 seconds.
        backoff.lasted(.seconds(seconds), provedToWork: provedToWork)
        #expect(backoff.failed(random: 1) == (begins ? .milliseconds(500) : .seconds(16)))
    }

    @Test("the back-off continues without end by default")
    func endless() {
        var backoff = Backoff(BackoffPolicy())
        let waits = (0..<10_000).compactMap { _ in backoff.failed(random: 1) }
        #expect(waits.count == 10_000 && waits.last == .seconds(30))
    }

    @Test("the back-off gives up after the allowed number of failures", arguments: 1...4)
    func givesUp(limit: Int) {
        var policy = BackoffPolicy()
        policy.maximumFailures = limit
        var backoff = Backoff(policy)
        let waits = (0..<limit).map { _ in backoff.failed(random: 1) }
        #expect(waits.filter { $0 == nil }.count == 1 && waits.last == .some(nil))
    }

    @Test(
        "an invalid policy of the back-off does not trap",
        arguments: [Duration.seconds(-1), .zero, .seconds(Int64.max / 4)]
    )
    func senseless(delay: Duration) {
        var policy = BackoffPolicy()
        policy.firstDelay = delay
        policy.maximumDelay = delay
        var backoff = Backoff(policy)
        for _ in 0..<3 {
            let wait = backoff.failed(random: 1)
            #expect(wait.map { $0 >= .zero } == true)
        }
    }
}
