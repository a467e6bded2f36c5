import HTTPTypes
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import HeliumCore

@Suite("Retry budget", .timeLimit(.minutes(5)))
struct RetryBudgetTests {
    @Test("a retry budget starts with the reserve, grows with calls, and has a maximum")
    func balance() {
        let account = RetryAccount(RetryBudget(ratio: 0.2, reserve: 2))
        #expect(account.withdraw() && account.withdraw() && !account.withdraw())
        for _ in 0..<4 { account.callBegins() }
        #expect(!account.withdraw())
        account.callBegins()
        #expect(account.withdraw() && !account.withdraw())
        for _ in 0..<10_000 { account.callBegins() }
        #expect(account.remaining == 102)
    }

    @Test("invalid numbers of a retry budget are brought into range", arguments: [-1, 0, Double.nan, .infinity, 1e300])
    func oddNumbers(ratio: Double) {
        let account = RetryAccount(RetryBudget(ratio: ratio, reserve: -5))
        #expect(!account.withdraw())
        account.callBegins()
        _ = account.withdraw()
        #expect(account.remaining >= 0)
    }

    @Test("retries for a server that fails 30 of 100 calls are at most 20 % more load and the reserve")
    func extraLoad() async throws {
        let calls = 2_000
        let arrivals = Guarded(0)
        var generator = SeededRandom(seed: 7)
        let pattern = (0..<10_000).map { _ in Double.random(in: 0..<1, using: &generator) < 0.3 }
        let transport = MockTransport { _ in
            let number = arrivals.withLock { count in
                defer { count += 1 }
                return count
            }
            return pattern[number % pattern.count] ? .empty(status: 503) : .empty(status: 200)
        }
        let pipeline = try makePipeline(transport, clock: SystemClock()) {
            $0.retry = .quick
            $0.retry.maximumAttempts = 10
        }
        var failures = 0
        for _ in 0..<calls {
            do { try await pipeline.call(.get, "/").value() } catch { failures += 1 }
        }
        let extra = transport.requests.count - calls
        #expect(extra <= calls / 5 + 10)
        #expect(extra > calls / 6, "the budget is used: \(extra)")
        #expect(failures < calls * 3 / 10, "retries help: \(failures)")
        // All fail: still no more than that.
        let dead = MockTransport(answers: [.empty(status: 503)])
        let second = try makePipeline(dead, clock: SystemClock()) { $0.retry = .quick }
        var spent = 0
        for _ in 0..<1_000 {
            let error = try await failure(of: { try await second.call(.get, "/").value() })
            if error.retryRefusal == .budgetSpent { spent += 1 }
        }
        #expect(dead.requests.count <= 1_000 + 200 + 10 && spent > 500)
    }
}
