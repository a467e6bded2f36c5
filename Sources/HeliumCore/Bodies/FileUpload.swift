internal import HeliumEssentials
internal import HeliumFiles
internal import Synchronization

extension UploadBody {
    /// Creates a body from a file that is read while it is sent. Its size is read now. If the size has changed when the
    /// file is sent, the body fails.
    ///
    /// A file that can't be used makes opening the body fail, before any part of the request is sent.
    package init(fileAtPath path: String) {
        do throws(UploadFailure) {
            let size = try FileSource.size(atPath: path)
            self.init(length: size, openingNow: { () throws(UploadFailure) in try FileSource(path: path, size: size) })
        } catch {
            self.init(length: nil, isReplayable: true) { throw error }
        }
    }
}

/// Reads a file from its beginning up to the announced size.
final class FileSource: ImmediateUploadSource {
    /// Large enough for few system calls, and small enough not to block a thread for long.
    private static let chunkBytes = 256 << 10

    private struct State {
        /// The file descriptor; -1 once closed.
        var descriptor: Int32
        var left: Int64
    }

    private let size: Int64
    private let state: Guarded<State>

    init(path: String, size: Int64) throws(UploadFailure) {
        // Non-blocking, so that opening a pipe with that name can't block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure("can't be opened") }
        self.size = size
        state = Guarded(State(descriptor: descriptor, left: size))
        do throws(UploadFailure) {
            try checkSize(of: descriptor)
        } catch {
            cancel()
            throw error
        }
    }

    deinit { cancel() }

    /// Returns the size of a regular file.
    static func size(atPath path: String) throws(UploadFailure) -> Int64 {
        let facts: FileFacts
        do { facts = try FileFacts(atPath: path) } catch { throw failure("can't be examined", error) }
        guard facts.kind == .regular else { throw UploadFailure("the file is not a regular file") }
        return facts.size
    }

    private static func facts(of descriptor: Int32) throws(UploadFailure) -> FileFacts {
        do { return try FileFacts(descriptor: descriptor) } catch { throw failure("can't be examined", error) }
    }

    func next() async throws -> Data? {
        try state.withLock { state throws(UploadFailure) -> Data? in
            guard state.descriptor >= 0 else { throw UploadFailure("the file is closed") }
            guard state.left > 0 else {
                try checkSize(of: state.descriptor)
                return nil
            }
            let wanted = Int(min(Int64(Self.chunkBytes), state.left))
            guard let bytes = malloc(wanted) else { throw UploadFailure("not enough memory to read the file") }
            let count = retryingInterrupted { read(state.descriptor, bytes, wanted) }
            guard count > 0 else {
                let failure = count < 0 ? Self.failure("can't be read") : Self.changed
                free(bytes)
                throw failure
            }
            state.left -= Int64(count)
            return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
        }
    }

    func readNow(into room: UnsafeMutableRawBufferPointer) throws(UploadFailure) -> Int? {
        try state.withLock { state throws(UploadFailure) -> Int? in
            guard state.descriptor >= 0 else { throw UploadFailure("the file is closed") }
            let wanted = Int(min(Int64(room.count), state.left))
            guard wanted > 0 else { return nil }
            let part = UnsafeMutableRawBufferPointer(rebasing: room[..<wanted])
            // An error is found again by next().
            guard let count = Descriptors.readCached(state.descriptor, into: part), count > 0 else { return nil }
            state.left -= Int64(count)
            if state.left == 0 { try checkSize(of: state.descriptor) }
            return count
        }
    }

    /// Data that was appended during the reading changes the size.
    private func checkSize(of descriptor: Int32) throws(UploadFailure) {
        guard try Self.facts(of: descriptor).size == size else { throw Self.changed }
    }

    func cancel() {
        state.withLock { state in
            if state.descriptor >= 0 { _ = close(state.descriptor) }
            state.descriptor = -1
        }
    }

    private static let changed = UploadFailure("the size of the file has changed since the request was made")

    private static func failure(_ what: String, _ error: SystemError = .last) -> UploadFailure {
        UploadFailure("the file \(what): \(error)")
    }
}
