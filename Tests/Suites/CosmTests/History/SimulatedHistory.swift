import TestSupport

@testable import Cosm

/// A datastream's history as a server returns it by Docs/Protocols/Cosm.md §4, without I/O.
struct SimulatedHistory {
    struct Refusal: Error, Equatable { let reason: String }

    /// In ascending order, no instant twice.
    var points: [Datapoint]

    init(_ points: [Datapoint]) {
        let byInstant = Dictionary(points.map { ($0.at, $0) }) { $1 }
        self.points = byInstant.values.sorted { instant($0) < instant($1) }
    }

    /// Random points: at random distances around `spacing`, with now and then a long gap.
    init(_ random: inout SeededRandom, from start: Timestamp, spacing: Int, count: Int) {
        var at = start.microseconds
        self.init(
            (0..<count).map { number in
                at += Int64(1 + random.below(2 * spacing)) * Int64(random.pick([1, 1000, 999_983]))
                if random.oneIn(40) { at += Int64(spacing) * 50_000_000 }
                // Some stand on the grid exactly.
                if random.oneIn(5) { at -= at % 60_000_000 - 60_000_000 }
                return Datapoint(at: Timestamp(microseconds: at), value: DatapointValue(number))
            }
        )
    }

    /// Returns the points that a request yields.
    ///
    /// - Parameter isLimited: Whether the limits on duration and count apply. Without them the result is what a walk
    ///   has to find.
    func answer(_ query: HistoryQuery, isLimited: Bool = true) throws -> [Datapoint] {
        guard let start = query.start, let end = query.end, let interval = query.interval else {
            throw Refusal(reason: "the walk says start, end and interval")
        }
        if isLimited, !interval.reaches(from: start, to: end) { throw Refusal(reason: "the stretch is too long") }
        if isLimited, !(1...1000 ~= (query.limit ?? 100)) { throw Refusal(reason: "the limit is none") }
        var result =
            interval.seconds == 0
            ? points.filter { start <= instant($0) && instant($0) <= end }
            : sampled(from: start, to: end, Int64(interval.seconds) * 1_000_000, query.intervalType == .discrete)
        if query.findsPrevious == true, let previous = points.last(where: { instant($0) < start }) {
            result.insert(previous, at: 0)
        }
        return isLimited ? Array(result.prefix(query.limit ?? 100)) : result
    }

    private func sampled(from start: Timestamp, to end: Timestamp, _ step: Int64, _ isDiscrete: Bool) -> [Datapoint] {
        var samples: [Datapoint] = []
        let (quotient, remainder) = start.microseconds.quotientAndRemainder(dividingBy: step)
        var grid = (remainder > 0 ? quotient + 1 : quotient) * step
        var next = 0
        while grid <= end.microseconds {
            while next < points.count, instant(points[next]).microseconds <= grid { next += 1 }
            if next > 0 {
                var newest = points[next - 1]
                if isDiscrete {
                    newest.at = Timestamp(microseconds: grid)
                    samples.append(newest)
                } else if instant(newest) >= start, newest != samples.last {
                    samples.append(newest)
                }
            }
            grid += step
        }
        return samples
    }
}

private func instant(_ point: Datapoint) -> Timestamp { point.at ?? Timestamp(microseconds: .min) }
