import Synchronization

/// Keeps `concurrency` requests in flight until `requests` have been answered.
struct ClosedLoop<Client: BenchmarkClient> {
    let client: Client
    let options: RunOptions

    /// Runs and returns each request's latency.
    ///
    /// Throws at the first answer that is not the expected one: a client that fails quickly is not fast.
    func run(requests: Int) async throws -> LatencyLog {
        let next = Counter()
        let log = LatencyLog(requests: requests)
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<min(options.concurrency, requests) {
                group.addTask {
                    let clock = ContinuousClock()
                    while let number = next.take(below: requests) {
                        let start = clock.now
                        let answer = try await client.send()
                        log.record(clock.now - start, ofRequest: number)
                        try check(answer)
                    }
                }
            }
        }
        return log
    }

    private func check(_ answer: Answer) throws {
        guard answer.status == 200, answer.bodyBytes == options.bodyBytes,
            answer.header == (options.http2 ? "HTTP/2.0" : "HTTP/1.1")
        else {
            throw UnexpectedAnswer(answer: answer)
        }
    }
}

/// An answer other than the one that the server is known to give.
struct UnexpectedAnswer: Error, CustomStringConvertible {
    let answer: Answer
    var description: String {
        "status \(answer.status), \(answer.bodyBytes) bytes, protocol \(answer.header ?? "unknown")"
    }
}

private final class Counter: Sendable {
    private let taken = Atomic(0)

    /// Returns the next number from 0, or `nil` at the limit.
    func take(below limit: Int) -> Int? {
        let number = taken.add(1, ordering: .relaxed).oldValue
        return number < limit ? number : nil
    }
}
