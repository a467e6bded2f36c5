import HeliumEssentials

/// The body as it grows: one block of the announced size where the server announces one, handed over without a copy.
///
/// `@unchecked Sendable`: not copyable, so its memory has one owner.
struct BodyBuffer: ~Copyable, @unchecked Sendable {
    /// The most that is allocated on a server's word alone.
    private static let largestAnnounced = 64 << 20
    private static let smallest = 16 << 10

    private var bytes: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    deinit { free(bytes) }

    /// Appends `new`; `false` if there is no memory. `announced` is asked for the body's size before the first bytes.
    mutating func append(_ new: UnsafeRawBufferPointer, announced: () -> Int?) -> Bool {
        guard let source = new.baseAddress, new.count > 0 else { return true }
        let (needed, isOver) = count.addingReportingOverflow(new.count)
        guard !isOver else { return false }
        if needed > capacity {
            var wanted = max(capacity &* 2, needed)
            if capacity == 0 {
                wanted = max(needed, announced().map { min($0, BodyBuffer.largestAnnounced) } ?? BodyBuffer.smallest)
            }
            guard let larger = realloc(bytes, wanted) else { return false }
            bytes = larger
            capacity = wanted
        }
        if let bytes { memcpy(bytes + count, source, new.count) }
        count = needed
        return true
    }

    /// Lets `fill` write at most `limit` bytes at the end, into room that grows with the body; `fill` returns how many it
    /// wrote. Returns that, or `nil` if there is no memory.
    mutating func extend(by limit: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int? {
        guard limit > 0 else { return fill(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
        if capacity == count {
            let wanted = max(capacity &* 2, count + min(limit, BodyBuffer.smallest))
            guard let larger = realloc(bytes, wanted) else { return nil }
            bytes = larger
            capacity = wanted
        }
        guard let bytes else { return nil }
        let added = fill(UnsafeMutableRawBufferPointer(start: bytes + count, count: min(limit, capacity - count)))
        count += added
        return added
    }

    /// The body; the buffer is empty after it.
    mutating func take() -> Data {
        defer {
            bytes = nil
            count = 0
            capacity = 0
        }
        guard var bytes, count > 0 else {
            free(bytes)
            return Data()
        }
        // Growth by doubling leaves up to half unused.
        if capacity - count > count / 4, capacity - count > 4096, let smaller = realloc(bytes, count) {
            bytes = smaller
        }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}
