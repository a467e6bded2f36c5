internal import Foundation
internal import Synchronization

extension UploadBody {
    /// A file, read while it is sent. Its size is taken now: whatever has another size by the time it is read fails.
    ///
    /// A file that can't be used fails when the body is opened, so nothing of the request has left then.
    package init(fileAtPath path: String) {
        do throws(UploadFailure) {
            let size = try FileSource.size(atPath: path)
            self.init(length: size, isReplayable: true) { try FileSource(path: path, size: size) }
        } catch {
            self.init(length: nil, isReplayable: true) { throw error }
        }
    }
}

/// Reads a file from its beginning to the size that was announced.
final class FileSource: UploadSource {
    /// Large enough to make few system calls, small enough not to hold a thread for long.
    private static let chunkBytes = 256 << 10

    private struct State {
        /// -1 once closed.
        var descriptor: Int32
        var left: Int64
    }

    private let size: Int64
    private let state: Guarded<State>

    init(path: String, size: Int64) throws(UploadFailure) {
        // Non-blocking, so that a pipe in the file's place can't hang us.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure("can't be opened") }
        self.size = size
        state = Guarded(State(descriptor: descriptor, left: size))
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let failure = Self.failure("can't be examined")
            cancel()
            throw failure
        }
        guard Int64(status.st_size) == size else {
            cancel()
            throw Self.changed
        }
    }

    deinit { cancel() }

    /// The size of a regular file.
    static func size(atPath path: String) throws(UploadFailure) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("can't be examined") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw UploadFailure("what is to be sent is not a regular file")
        }
        return Int64(status.st_size)
    }

    func next() async throws -> Data? {
        try state.withLock { state throws(UploadFailure) -> Data? in
            guard state.descriptor >= 0 else { throw UploadFailure("the file is closed") }
            guard state.left > 0 else {
                // Whatever was added while we read shows in the size.
                var status = stat()
                guard fstat(state.descriptor, &status) == 0, Int64(status.st_size) == size else { throw Self.changed }
                return nil
            }
            let wanted = Int(min(Int64(Self.chunkBytes), state.left))
            guard let bytes = malloc(wanted) else { throw UploadFailure("there is no memory to read the file into") }
            var count = -1
            repeat { count = read(state.descriptor, bytes, wanted) } while count < 0 && errno == EINTR
            guard count > 0 else {
                let failure = count < 0 ? Self.failure("can't be read") : Self.changed
                free(bytes)
                throw failure
            }
            state.left -= Int64(count)
            return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
        }
    }

    func cancel() {
        state.withLock { state in
            if state.descriptor >= 0 { _ = close(state.descriptor) }
            state.descriptor = -1
        }
    }

    private static let changed = UploadFailure("the file has changed its size since the request was made")

    private static func failure(_ what: String) -> UploadFailure {
        UploadFailure("the file \(what): \(String(cString: strerror(errno)))")
    }
}
