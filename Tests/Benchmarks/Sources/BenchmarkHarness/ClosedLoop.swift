import Synchronization

/// Keeps `concurrency` requests in flight until `requests` have been answered.
struct ClosedLoop<Client: BenchmarkClient> {
    let client: Client
    let options: RunOptions

    /// Runs and returns each request's latency in nanoseconds, in no particular order.
    ///
    /// Throws at the first answer that is not the expected one: a client that fails quickly is not fast.
    func run(requests: Int) async throws -> [UInt32] {
        let next = Counter()
        return try await withThrowingTaskGroup(of: [UInt32].self) { group in
            for _ in 0..<min(options.concurrency, requests) {
                group.addTask {
                    var latencies: [UInt32] = []
                    latencies.reserveCapacity(requests / options.concurrency + 16)
                    let clock = ContinuousClock()
                    while next.take(below: requests) {
                        let start = clock.now
                        let answer = try await client.send()
                        latencies.append((clock.now - start).clampedNanoseconds)
                        try check(answer)
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
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

    func take(below limit: Int) -> Bool { taken.add(1, ordering: .relaxed).oldValue < limit }
}

extension Duration {
    /// Whole nanoseconds; four seconds and more count as four.
    fileprivate var clampedNanoseconds: UInt32 {
        let (seconds, attoseconds) = components
        return seconds >= 4 ? 4_000_000_000 : UInt32(seconds) * 1_000_000_000 + UInt32(attoseconds / 1_000_000_000)
    }
}
