/// The latencies of a run's requests, in one block of memory as in the client in C. An array for each worker, and their
/// concatenation, would take several times as much, which would count as the measured client's.
///
/// `@unchecked Sendable`: each element is written once, by the worker that took its number, and read after all workers
/// have ended.
final class LatencyLog: @unchecked Sendable {
    private let nanoseconds: UnsafeMutableBufferPointer<UInt32>

    init(requests: Int) {
        nanoseconds = .allocate(capacity: requests)
        nanoseconds.initialize(repeating: 0)
    }

    deinit { nanoseconds.deallocate() }

    /// Records the latency of the request with this number, which begins at 0.
    func record(_ latency: Duration, ofRequest number: Int) { nanoseconds[number] = latency.clampedNanoseconds }

    /// Returns the latencies in nanoseconds, in ascending order.
    func sorted() -> [UInt32] { nanoseconds.sorted() }
}

extension Duration {
    /// Whole nanoseconds; four seconds and more count as four.
    fileprivate var clampedNanoseconds: UInt32 {
        let (seconds, attoseconds) = components
        return seconds >= 4 ? 4_000_000_000 : UInt32(seconds) * 1_000_000_000 + UInt32(attoseconds / 1_000_000_000)
    }
}
