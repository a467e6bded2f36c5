internal import Foundation
internal import HeliumConcurrency
internal import HeliumFiles
internal import Synchronization

/// A lock between processes, on a file beside a cache. The lock file remains and marks its neighbor as a cache.
///
/// The system releases the lock when the process ends for any reason.
final class CacheLock: Sendable {
    private let descriptor: Guarded<Int32?>

    /// Opens the lock file. Creates the file if it is missing. Does not lock it yet.
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

    /// Returns whether the lock file exists.
    static func isMarked(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        return (try? file.read(upToCount: CacheSchema.markBytes.count))?.elementsEqual(CacheSchema.markBytes) == true
    }

    /// Acquires a shared lock. Waits while another process holds an exclusive lock, which lasts for the time of a
    /// rename.
    func share() {
        // On a file system without locks, caches can still be opened. Only damaged files cannot be moved.
        _ = lock(LOCK_SH)
    }

    /// Tries to acquire an exclusive lock. If that fails, no lock is held.
    ///
    /// - Returns: `false` if another cache, in this or in another process, holds a shared lock.
    func takeAlone() throws -> Bool {
        if lock(LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SeriesCacheError(.cannotOpen, "the damaged file cannot be locked") }
        return false
    }

    /// Releases the lock. Later calls have no effect.
    func release() {
        guard let descriptor = descriptor.withLock({ $0.take() }) else { return }
        close(descriptor)
    }

    private func lock(_ operation: Int32) -> Int32 {
        guard let descriptor = descriptor.withLock({ $0 }) else { return -1 }
        return retryingInterrupted { flock(descriptor, operation) }
    }
}
