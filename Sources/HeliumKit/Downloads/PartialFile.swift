internal import Foundation
internal import HeliumCrypto

/// The file that a download writes until it is whole, and its hash if that is wanted.
///
/// Locked as long as it is open: two downloads can't write to the same part.
struct PartialFile: ~Copyable {
    private static let blockBytes = 256 << 10

    let place: DownloadPlace
    private let descriptor: Int32
    private var hasher: SHA256?
    private(set) var size: Int64 = 0

    /// Opens the part, or makes it.
    init(at place: DownloadPlace, isHashed: Bool) throws(FileFailure) {
        self.place = place
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        descriptor = open(place.part, flags, 0o666)
        guard descriptor >= 0 else { throw FileFailure("no file can be made beside the target", errno) }
        hasher = isHashed ? SHA256() : nil
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileFailure("what stands beside the target is not a regular file")
        }
        // Between opening and locking, another download may have moved the file to the target: then it is no part any more.
        var named = stat()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, lstat(place.part, &named) == 0,
            named.st_ino == status.st_ino, named.st_dev == status.st_dev
        else {
            close(descriptor)
            throw FileFailure("another download writes to the same target")
        }
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw FileFailure("the part can't be examined", errno)
        }
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Makes the file end at its present size: reads what is there into the hash.
    mutating func keep() throws(FileFailure) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileFailure("the part can't be read", errno) }
        if hasher != nil {
            var left = size
            var block = [UInt8](repeating: 0, count: Self.blockBytes)
            while left > 0 {
                let count = read(descriptor, &block, Int(min(left, Int64(Self.blockBytes))))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw FileFailure("the part can't be read", errno) }
                block.withUnsafeBytes { hasher?.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                left -= Int64(count)
            }
        }
        guard lseek(descriptor, 0, SEEK_END) == size else { throw FileFailure("the part changes while it is read") }
    }

    /// Makes the file empty.
    mutating func clear() throws(FileFailure) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw FileFailure("the part can't be emptied", errno)
        }
        if hasher != nil { hasher?.reset() }
        size = 0
    }

    /// Adds bytes at the end.
    mutating func append(_ bytes: Data) throws(FileFailure) {
        var failure: FileFailure?
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                let count = write(descriptor, slice.baseAddress, slice.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    failure = FileFailure("the file can't be written", errno)
                    return
                }
                rest = rest.dropFirst(count)
            }
            hasher?.update(bytes)
        }
        if let failure { throw failure }
        size += Int64(bytes.count)
    }

    /// The SHA-256 of all that was written, in hexadecimal.
    mutating func digest() -> String? { hasher?.finalize().hex }

    /// Puts what was written on the disk.
    func synchronise() throws(FileFailure) {
        guard fsync(descriptor) == 0 else { throw FileFailure("the file can't be put on the disk", errno) }
    }

    /// Puts the whole file in the target's place, in one step.
    func moveToTarget() throws(FileFailure) {
        try synchronise()
        guard rename(place.part, place.target) == 0 else {
            throw FileFailure("the file can't be moved to its place", errno)
        }
        place.removeRecord()
        place.synchroniseDirectory()
    }

    /// Removes the file.
    func remove() {
        unlink(place.part)
        place.removeRecord()
    }
}
