import BenchmarkHarness
import NIOCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file in chunks as large as Helium reads them, for one iteration.
final class FileChunks: AsyncSequence, Sendable {
    private static let chunkBytes = 256 << 10

    let size: Int
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw UsageError("\(path) can't be read") }
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    func makeAsyncIterator() -> Iterator { Iterator(file: self) }

    struct Iterator: AsyncIteratorProtocol {
        let file: FileChunks

        mutating func next() async throws -> ByteBuffer? {
            var buffer = ByteBufferAllocator().buffer(capacity: FileChunks.chunkBytes)
            let count = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: FileChunks.chunkBytes) {
                Swift.max(0, read(file.descriptor, $0.baseAddress, FileChunks.chunkBytes))
            }
            return count > 0 ? buffer : nil
        }
    }
}
