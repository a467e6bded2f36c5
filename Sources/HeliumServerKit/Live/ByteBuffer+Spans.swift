internal import HeliumBytes
internal import NIOCore

extension ByteBuffer {
    /// Takes an item from the readable bytes.
    ///
    /// - Parameter next: Receives the bytes, and adds the number of bytes that it takes to its second argument.
    mutating func take<Item, Fault: Error>(
        _ next: (RawSpan, inout Int) throws(Fault) -> Item?
    ) throws(Fault) -> Item? {
        var consumed = 0
        // The oldest version of SwiftNIO that is supported passes errors on without their type.
        let result = withUnsafeReadableBytes { bytes -> Result<Item?, Fault> in
            do throws(Fault) { return .success(try next(bytes.bytes, &consumed)) } catch { return .failure(error) }
        }
        moveReaderIndex(forwardBy: consumed)
        return try result.get()
    }
}

extension ByteBufferAllocator {
    /// Returns a buffer with a copy of the bytes.
    func buffer(_ queue: borrowing ByteQueue) -> ByteBuffer {
        var buffer = buffer(capacity: queue.count)
        queue.withBytes { bytes in
            _ = bytes.withUnsafeBytes { buffer.writeBytes($0) }
        }
        return buffer
    }
}
