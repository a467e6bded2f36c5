/// A queue of bytes in one block of memory. Bytes are appended at the end and consumed at the beginning.
///
/// Appending and consuming take amortized constant time per byte. The block at least doubles when it is full. The bytes
/// move to its beginning only if at least as many have been consumed. New memory is not filled with zeros.
///
/// `@unchecked Sendable`: it is not copyable, so its memory has one owner.
package struct ByteQueue: ~Copyable, @unchecked Sendable {
    /// The block; `nil` if none is allocated. The bytes from `start` to `end` are in the queue.
    @usableFromInline var memory: UnsafeMutableRawPointer?
    /// The size of the block in bytes.
    @usableFromInline package internal(set) var capacity = 0
    @usableFromInline var start = 0
    @usableFromInline var end = 0
    private let keptCapacity: Int

    private static let smallestCapacity = 64

    /// Creates an empty queue, which allocates no memory.
    ///
    /// - Parameter keptCapacity: The size in bytes up to which an empty queue keeps its memory. Default: 4 KiB.
    package init(keeping keptCapacity: Int = 4 << 10) { self.keptCapacity = keptCapacity }

    deinit { memory?.deallocate() }

    /// The number of bytes in the queue.
    @inlinable package var count: Int { end &- start }

    @inlinable package var isEmpty: Bool { start == end }

    /// A copy of the bytes.
    package var bytes: [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }

    /// Passes the bytes to `body`, which must not keep them.
    @inlinable
    package func withBytes<Result, Fault: Error>(_ body: (RawSpan) throws(Fault) -> Result) throws(Fault) -> Result {
        try body(UnsafeRawBufferPointer(start: memory.map { $0 + start }, count: count).bytes)
    }
}

// MARK: Appending

extension ByteQueue {
    /// Allocates memory for `room` more bytes.
    @inlinable
    package mutating func reserve(_ room: Int) {
        if room > capacity &- end { makeRoom(room) }
    }

    /// Appends the bytes that `write` stores.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - write: Receives `limit` bytes of memory that is not initialized. Returns the number of bytes that it has
    ///     stored at the beginning of that memory.
    /// - Returns: The number of bytes that were appended.
    @inlinable @discardableResult
    package mutating func append<Fault: Error>(
        upTo limit: Int,
        _ write: (UnsafeMutableRawBufferPointer) throws(Fault) -> Int
    ) throws(Fault) -> Int {
        reserve(limit)
        let room = UnsafeMutableRawBufferPointer(start: memory.map { $0 + end }, count: limit)
        let written = try write(room)
        precondition(0...limit ~= written, "more bytes were written than there was room for")
        end += written
        return written
    }

    /// Appends bytes that the caller stores before it uses the queue again.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The memory of the bytes, which is not initialized.
    @inlinable @inline(__always)
    package mutating func extend(by count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(count >= 0, "the number of bytes is negative")
        reserve(count)
        defer { end += count }
        return UnsafeMutableRawBufferPointer(start: memory.map { $0 + end }, count: count)
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        append(upTo: bytes.count) { room in
            room.copyMemory(from: bytes)
            return bytes.count
        }
    }

    package mutating func append(_ bytes: RawSpan) { bytes.withUnsafeBytes { append($0) } }

    package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    @inlinable
    package mutating func append(_ byte: UInt8) {
        append(upTo: 1) { room in
            room[0] = byte
            return 1
        }
    }

    /// Appends the UTF-8 of a text.
    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    @usableFromInline
    mutating func makeRoom(_ room: Int) {
        let count = count
        if let memory, start >= count, room <= capacity - count {
            // As many bytes have been consumed as move, so each byte that was appended pays for one move.
            memory.copyMemory(from: memory + start, byteCount: count)
        } else {
            let larger = max(count + room, 2 * count, Self.smallestCapacity)
            let block = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
            if let memory {
                block.copyMemory(from: memory + start, byteCount: count)
                memory.deallocate()
            }
            memory = block
            capacity = larger
        }
        (start, end) = (0, count)
    }
}

// MARK: Consuming

extension ByteQueue {
    /// Removes bytes from the beginning.
    ///
    /// - Parameter count: At most the number of bytes in the queue.
    package mutating func consume(_ count: Int) {
        precondition(0...self.count ~= count, "more bytes were consumed than are in the queue")
        start += count
        guard isEmpty else { return }
        (start, end) = (0, 0)
        guard capacity > keptCapacity else { return }
        memory?.deallocate()
        memory = nil
        capacity = 0
    }

    package mutating func removeAll() { consume(count) }
}
