import Foundation

/// A file that this process has open and can no longer write. The system fails each write of it, as for a disk with an
/// error; reads work. SQLite reports `SQLITE_IOERR`.
///
/// All descriptors of the file are replaced by others that are read-only. Only on Linux: it needs `/proc`.
package final class UnwritableFile {
    private var replaced: [(descriptor: Int32, copy: Int32)] = []

    /// - Throws: ``NotOpen`` if the process does not have the file open.
    package init(_ path: String) throws {
        for (descriptor, _) in try Self.descriptors(of: path) {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            let reader = open(path, O_RDONLY | O_CLOEXEC)
            guard copy >= 0, reader >= 0 else { throw POSIXError(.EMFILE) }
            dup2(reader, descriptor)
            close(reader)
            replaced.append((descriptor, copy))
        }
    }

    /// Makes the file writable again.
    package func restore() {
        for (descriptor, copy) in replaced {
            dup2(copy, descriptor)
            close(copy)
        }
        replaced = []
    }

    deinit { restore() }

    /// Overwrites a file with zeros from an offset, through a descriptor that the process has. A new descriptor would
    /// release the process's locks of the file when it is closed.
    package static func damage(_ path: String, from offset: Int) throws {
        let open = try descriptors(of: path)
        guard let size = open.first?.size else { throw NotOpen(path: path) }
        let zeros = [UInt8](repeating: 0, count: max(0, size - offset))
        // Those of the readers cannot write.
        guard open.contains(where: { pwrite($0.0, zeros, zeros.count, off_t(offset)) == zeros.count }) else {
            throw POSIXError(.EIO)
        }
    }

    private static func descriptors(of path: String) throws -> [(Int32, size: Int)] {
        var file = stat()
        guard stat(path, &file) == 0 else { throw NotOpen(path: path) }
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let found = names.compactMap { Int32($0) }.sorted().filter { descriptor in
            var other = stat()
            return fstat(descriptor, &other) == 0 && other.st_ino == file.st_ino && other.st_dev == file.st_dev
        }
        if found.isEmpty { throw NotOpen(path: path) }
        return found.map { ($0, Int(file.st_size)) }
    }

    /// The error of a file that this process does not have open.
    package struct NotOpen: Error {
        package let path: String
    }
}
