internal import Foundation
internal import HeliumConcurrency
internal import HeliumFiles
internal import Synchronization

/// A lock between processes, on a file beside a cache. The file stays, and marks its neighbour as a cache.
///
/// The system releases the lock when the process ends, however it ends.
final class CacheLock: Sendable {
    private let descriptor: Guarded<Int32?>

    /// Opens the file of the lock. Creates it if it is missing. Nothing is locked yet.
    init(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let kind: SeriesCacheError.Kind = [EACCES, EROFS, EPERM].contains(errno) ? .readOnly : .cannotOpen
            throw SeriesCacheError(kind, "the lock \(path) cannot be created")
        }
        let mark = CacheSchema.markBytes
        if lseek(descriptor, 0, SEEK_END) == 0 { _ = write(descriptor, mark, mark.count) }
        self.descriptor = Guarded(descriptor)
    }

    deinit { release() }

    /// Whether there is the file of a lock.
    static func isMarked(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        return (try? file.read(upToCount: CacheSchema.markBytes.count))?.elementsEqual(CacheSchema.markBytes) == true
    }

    /// Shares the lock. Waits while another process holds it alone, which is for the time of a renaming.
    func share() {
        // On a file system without locks, caches can still be opened; only damaged files cannot be moved.
        _ = lock(LOCK_SH)
    }

    /// Tries to hold the lock alone. If that fails, it is not held at all.
    ///
    /// - Returns: `false` if it is shared by another cache, of this process or of another one.
    func takeAlone() throws -> Bool {
        if lock(LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SeriesCacheError(.cannotOpen, "the damaged file cannot be locked") }
        return false
    }

    /// Gives the lock up. Does nothing the second time.
    func release() {
        guard let descriptor = descriptor.withLock({ $0.take() }) else { return }
        close(descriptor)
    }

    private func lock(_ operation: Int32) -> Int32 {
        guard let descriptor = descriptor.withLock({ $0 }) else { return -1 }
        return retryingInterrupted { flock(descriptor, operation) }
    }
}
