internal import HeliumJSON
internal import HeliumServerKit

/// The buckets that a request asks for: those that start in its window, on a grid that begins at the epoch.
struct BucketWindow: Hashable, Sendable {
    /// The start of the first bucket, in microseconds since 1970.
    let first: Int64
    /// The length of a bucket in microseconds.
    let step: Int64
    /// The number of buckets; at least 1.
    let count: Int

    /// The most buckets of a response.
    static let maximumCount = 10_000

    /// Why a window has no buckets.
    enum Refusal: Error, Hashable {
        /// A parameter is missing or can't be read, or no bucket starts in the window.
        case empty
        /// The window has this number of buckets, which is too many.
        case tooLong(Int)
    }

    /// Buckets of `step` that start in `range`, and not after `now`.
    init(_ range: Range<ServerInstant>, step: Int64, now: ServerInstant) throws(Refusal) {
        // The window's own length counts, so that the answer does not depend on the time of day.
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

    /// Reads `start`, `stop` and `step` (ConAir.md, "The web service").
    init(query: [ByteText: JSONValue], now: ServerInstant) throws(Refusal) {
        guard case .string(let startText) = query["start"], let start = ServerInstant(rfc3339: startText),
            case .string(let stopText) = query["stop"], let stop = ServerInstant(rfc3339: stopText), start < stop,
            case .string(let stepText) = query["step"], stepText.utf8.allSatisfy(\.isDigit),
            let milliseconds = Int64(stepText), milliseconds > 0, milliseconds % 1000 == 0,
            // A longer step has one bucket for all of time.
            milliseconds <= Self.longestStep
        else { throw .empty }
        try self.init(start..<stop, step: milliseconds * 1000, now: now)
    }

    /// A thousand years, in milliseconds.
    private static let longestStep: Int64 = 366_000 * 86_400_000

    /// The time that all buckets cover.
    var range: Range<ServerInstant> {
        ServerInstant(microseconds: first)..<ServerInstant(microseconds: first + Int64(count) * step)
    }

    /// The bucket of an instant in ``range``, from 0.
    func index(of instant: ServerInstant) -> Int { Int((instant.microseconds - first) / step) }

    /// The start of a bucket.
    func start(of index: Int) -> ServerInstant { ServerInstant(microseconds: first + Int64(index) * step) }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
