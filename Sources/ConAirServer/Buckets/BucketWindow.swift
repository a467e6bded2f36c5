internal import HeliumJSON
internal import HeliumServerKit

/// The buckets of a request: those that start in its window, on a grid that starts at the epoch.
struct BucketWindow: Hashable, Sendable {
    /// The start of the first bucket, in microseconds since 1970.
    let first: Int64
    /// The length of a bucket, in microseconds.
    let step: Int64
    /// The number of buckets; at least 1.
    let count: Int

    /// The maximum number of buckets of a response.
    static let maximumCount = 10_000

    /// The reason why a window has no buckets.
    enum Refusal: Error, Hashable {
        /// A parameter is missing or invalid, or no bucket starts in the window.
        case empty
        /// The window has this number of buckets, which exceeds the maximum.
        case tooLong(Int)
    }

    /// Creates the buckets of length `step` that start in `range`, but not after `now`.
    init(_ range: Range<ServerInstant>, step: Int64, now: ServerInstant) throws(Refusal) {
        // The length of the window itself counts, so that the result does not depend on the current time.
        let first = (range.lowerBound.microseconds - 1).floored(to: step).quotient + 1
        let last = (range.upperBound.microseconds - 1).floored(to: step).quotient
        guard first <= last else { throw .empty }
        guard last - first < Self.maximumCount else { throw .tooLong(Int(last - first + 1)) }
        let lastNow = min(last, now.microseconds.floored(to: step).quotient)
        guard first <= lastNow else { throw .empty }
        let (start, isOver) = first.multipliedReportingOverflow(by: step)
        guard !isOver else { throw .empty }
        self.first = start
        self.step = step
        count = Int(lastNow - first + 1)
    }

    /// Reads `start`, `stop` and `step` (Docs/Protocols/ConAir.md §1.1).
    init(query: [ByteText: JSONValue], now: ServerInstant) throws(Refusal) {
        guard case .string(let startText) = query["start"], let start = ServerInstant(rfc3339: startText),
            case .string(let stopText) = query["stop"], let stop = ServerInstant(rfc3339: stopText), start < stop,
            case .string(let stepText) = query["step"], stepText.utf8.allSatisfy(\.isDigit),
            let milliseconds = Int64(stepText), milliseconds > 0, milliseconds % 1000 == 0,
            // A longer step would have a single bucket for all times.
            milliseconds <= Self.longestStep
        else { throw .empty }
        try self.init(start..<stop, step: milliseconds * 1000, now: now)
    }

    /// A thousand years, in milliseconds.
    private static let longestStep: Int64 = 366_000 * 86_400_000

    /// The time range of all buckets.
    var range: Range<ServerInstant> {
        ServerInstant(microseconds: first)..<ServerInstant(microseconds: first + Int64(count) * step)
    }

    /// Returns the index of the bucket of an instant in ``range``.
    func index(of instant: ServerInstant) -> Int { Int((instant.microseconds - first) / step) }

    /// Returns the start of a bucket.
    func start(of index: Int) -> ServerInstant { ServerInstant(microseconds: first + Int64(index) * step) }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
