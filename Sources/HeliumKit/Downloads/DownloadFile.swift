internal import HeliumCrypto
internal import HeliumEssentials
internal import HeliumFiles

/// The file that a download writes, and its hash if one is required.
///
/// A regular file is written to a part file beside the target until it is complete. The part file is locked while it is
/// open, so two downloads can't write to it. A pipe or device is written directly.
struct DownloadFile: ~Copyable {
    private enum Output {
        case part(DownloadPlace, descriptor: Int32)
        case direct(DirectOutput)
    }

    private static let blockBytes = 256 << 10

    private let output: Output
    private var hasher: SHA256?
    private(set) var size: Int64 = 0

    /// Opens or creates the part file.
    init(at place: DownloadPlace, isHashed: Bool) throws(FileFailure) {
        let part = try Self.openPart(place)
        output = .part(place, descriptor: part.descriptor)
        size = part.size
        hasher = isHashed ? SHA256() : nil
    }

    /// Writes to a pipe or device.
    init(_ output: DirectOutput, isHashed: Bool) {
        self.output = .direct(output)
        hasher = isHashed ? SHA256() : nil
    }

    deinit { if case .part(_, let descriptor) = output { close(descriptor) } }

    private static func openPart(_ place: DownloadPlace) throws(FileFailure) -> (descriptor: Int32, size: Int64) {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = retryingInterrupted { open(place.part, flags, mode_t(place.target.siblingMode)) }
        guard descriptor >= 0 else { throw FileFailure("the partial file beside the target can't be created", .last) }
        do throws(FileFailure) {
            let opened = try facts(of: descriptor)
            guard opened.kind == .regular else {
                throw FileFailure("the partial file beside the target is not a regular file")
            }
            // Between opening and locking, another download may have moved the file to the target. Then it is no longer
            // a part file.
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
                (try? FileFacts(atPath: place.part, followingLinks: false))?.identity == opened.identity
            else { throw FileFailure("another download is writing to the same target") }
            return (descriptor, try facts(of: descriptor).size)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func facts(of descriptor: Int32) throws(FileFailure) -> FileFacts {
        do { return try FileFacts(descriptor: descriptor) } catch {
            throw FileFailure("the partial file can't be examined", error)
        }
    }
}

// MARK: Contents

extension DownloadFile {
    /// Keeps the existing contents: reads them into the hash and continues at their end.
    mutating func keep() throws(FileFailure) {
        guard case .part(_, let descriptor) = output else { return }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileFailure("the partial file can't be read", .last) }
        if hasher != nil {
            var left = size
            var block = [UInt8](repeating: 0, count: Self.blockBytes)
            while left > 0 {
                let wanted = Int(min(left, Int64(Self.blockBytes)))
                let count = retryingInterrupted { read(descriptor, &block, wanted) }
                guard count > 0 else { throw FileFailure("the partial file can't be read", .last) }
                block.withUnsafeBytes { hasher?.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                left -= Int64(count)
            }
        }
        guard lseek(descriptor, 0, SEEK_END) == size else {
            throw FileFailure("the partial file changed while it was read")
        }
    }

    /// Empties the file.
    mutating func clear() throws(FileFailure) {
        if case .part(_, let descriptor) = output {
            guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
                throw FileFailure("the partial file can't be truncated", .last)
            }
        }
        if hasher != nil { hasher?.reset() }
        size = 0
    }

    /// Appends bytes.
    ///
    /// - Throws: ``FileFailure``; `CancellationError` while the reader of a pipe makes no room.
    mutating func append(_ bytes: Data) async throws {
        do {
            switch output {
            case .part(_, let descriptor): try Descriptors.write(bytes, to: descriptor)
            case .direct(let output): try await output.write(bytes)
            }
        } catch let error as SystemError {
            throw FileFailure("the file can't be written", error)
        }
        bytes.withUnsafeBytes { hasher?.update($0) }
        size += Int64(bytes.count)
    }

    /// Returns the SHA-256 of everything written, in hexadecimal; `nil` without a hash.
    mutating func digest() -> String? { hasher?.finalize().hex }
}

// MARK: Finishing

extension DownloadFile {
    /// Writes the file's data to the disk.
    func synchronise() throws(FileFailure) {
        guard case .part(_, let descriptor) = output else { return }
        guard fsync(descriptor) == 0 else { throw FileFailure("the file can't be written to the disk", .last) }
    }

    /// Moves the complete file to the target in one step.
    func moveToTarget() throws(FileFailure) {
        guard case .part(let place, let descriptor) = output else { return }
        try synchronise()
        do {
            try place.target.install(place.part, descriptor: descriptor)
        } catch {
            throw FileFailure("the file can't be moved to the target", error)
        }
        place.removeRecord()
    }

    /// Deletes the part file.
    func remove() {
        guard case .part(let place, _) = output else { return }
        unlink(place.part)
        place.removeRecord()
    }
}
