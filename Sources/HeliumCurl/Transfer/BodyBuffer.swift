import HeliumEssentials

/// The growing buffer of a body. It starts with one block of the announced size if the server announces one, and its
/// bytes are returned without a copy.
///
/// `@unchecked Sendable`: it is not copyable, so its memory has one owner.
struct BodyBuffer: ~Copyable, @unchecked Sendable {
    /// The maximum number of bytes that are allocated because of an announced length alone.
    private static let largestAnnounced = 64 << 20
    private static let smallest = 16 << 10
    /// The size up to which ``takeReusing()`` copies a body.
    private static let copied = 4 << 10

    private var bytes: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    deinit { free(bytes) }

    /// Appends `new`. Returns `false` if out of memory. `announced` returns the body's size and is called before the
    /// first bytes.
    mutating func append(_ new: UnsafeRawBufferPointer, announced: () -> Int?) -> Bool {
        guard let source = new.baseAddress, new.count > 0 else { return true }
        let (needed, isOver) = count.addingReportingOverflow(new.count)
        guard !isOver else { return false }
        if needed > capacity {
            var wanted = max(capacity &* 2, needed)
            if count == 0 {
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

    /// The result of ``append(_:upTo:announced:)``.
    enum Outcome { case appended, tooLong, outOfMemory }

    /// Appends `new` unless the body would have more than `limit` bytes.
    mutating func append(_ new: UnsafeRawBufferPointer, upTo limit: Int, announced: () -> Int?) -> Outcome {
        guard new.count <= limit - count else { return .tooLong }
        return append(new, announced: announced) ? .appended : .outOfMemory
    }

    /// Calls `fill` with room for at most `limit` bytes at the end, which grows with the body. `fill` returns the
    /// number of bytes that it wrote. Returns that number, or `nil` if out of memory.
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

    /// Returns memory at the end of the body, for bytes that ``didFill(_:)`` adds; `nil` if out of memory.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes, not 0.
    ///   - least: The number of bytes for which there is room at least, unless `limit` is less.
    ///   - announced: The size of the body if nothing is known to follow.
    mutating func room(upTo limit: Int, atLeast least: Int, announced: Int) -> UnsafeMutableRawBufferPointer? {
        let needed = count + min(limit, least)
        if capacity < needed {
            let first = count == 0 ? min(announced, BodyBuffer.largestAnnounced) : 0
            let wanted = max(needed, first, min(capacity &* 2, announced))
            guard let larger = realloc(bytes, wanted) else { return nil }
            bytes = larger
            capacity = wanted
        }
        guard let bytes else { return nil }
        return UnsafeMutableRawBufferPointer(start: bytes + count, count: min(limit, capacity - count))
    }

    /// Adds bytes that were stored in the memory that ``room(upTo:atLeast:announced:)`` has returned.
    mutating func didFill(_ added: Int) { count += min(added, capacity - count) }

    /// Returns the body and empties the buffer, which keeps a small block for the next body.
    ///
    /// A small body is copied. Its own block would be allocated by one thread and released by another for each body, and
    /// both threads would wait for the lock of one heap.
    mutating func takeReusing() -> Data {
        guard let bytes, count > 0, count <= BodyBuffer.copied else { return take() }
        let body = Data(bytes: bytes, count: count)
        reset()
        return body
    }

    /// Empties the buffer, which keeps a small block for the next body.
    mutating func reset() {
        if capacity > BodyBuffer.smallest {
            free(bytes)
            bytes = nil
            capacity = 0
        }
        count = 0
    }

    /// Returns the body and empties the buffer.
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
        // Growth by doubling leaves up to half of the capacity unused.
        if capacity - count > count / 4, capacity - count > 4096, let smaller = realloc(bytes, count) {
            bytes = smaller
        }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}
