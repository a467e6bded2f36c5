/// Reads points from the first to the last, a part at a time.
///
/// A part is copied to memory that stays in the processor's cache. Copying all points to arrays would take as long as
/// choosing from them.
final class PartReader {
    private struct Buffer {
        var times = UnsafeMutableBufferPointer<Int64>(start: nil, count: 0)
        var values = UnsafeMutableBufferPointer<Double>(start: nil, count: 0)
    }

    private let columns: [SeriesPoints.Column]
    private var (column, row) = (0, 0)
    /// The part that was read last, and the one before.
    private var buffers = (Buffer(), Buffer())

    init(_ columns: [SeriesPoints.Column]) { self.columns = columns }

    deinit {
        for buffer in [buffers.0, buffers.1] {
            buffer.times.deallocate()
            buffer.values.deallocate()
        }
    }

    /// Returns the next points, of which there must be enough. They are valid until the second call after.
    func next(_ count: Int) -> LargestTriangles.Points {
        buffers = (buffers.1, buffers.0)
        if buffers.0.times.count < count {
            buffers.0.times.deallocate()
            buffers.0.values.deallocate()
            buffers.0 = Buffer(times: .allocate(capacity: count), values: .allocate(capacity: count))
        }
        var filled = 0
        while filled < count {
            let source = columns[column]
            let end = min(source.times.count, row + count - filled)
            _ = buffers.0.times[filled...].initialize(fromContentsOf: source.times[row..<end])
            _ = buffers.0.values[filled...].initialize(fromContentsOf: source.values[row..<end])
            filled += end - row
            (column, row) = end < source.times.count ? (column, end) : (column + 1, 0)
        }
        return (
            UnsafeBufferPointer(rebasing: buffers.0.times[..<count]),
            UnsafeBufferPointer(rebasing: buffers.0.values[..<count])
        )
    }
}

/// The points of a series in two arrays, which are faster to iterate than columns.
struct FlatPoints {
    private var times: [Int64] = []
    private var values: [Double] = []

    init(_ points: SeriesPoints) {
        times.reserveCapacity(points.count)
        values.reserveCapacity(points.count)
        points.forEachColumn {
            times.append(contentsOf: $0)
            values.append(contentsOf: $1)
        }
    }

    func withBuffers<Result>(
        _ body: (UnsafeBufferPointer<Int64>, UnsafeBufferPointer<Double>) throws -> Result
    ) rethrows -> Result {
        try times.withUnsafeBufferPointer { times in try values.withUnsafeBufferPointer { try body(times, $0) } }
    }
}
