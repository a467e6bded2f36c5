internal import HeliumConcurrency
internal import HeliumCrypto
internal import HeliumEssentials
internal import HeliumFiles

/// The file that a download writes, and its hash if one is required.
///
/// A regular file is written to a part file beside the target until it is complete. The part file is locked while it is
/// open, so two downloads can't write to it. A pipe or device is written directly.
///
/// Reading a part file and waiting for the disk may block for long. They run on a thread of their own and never on
/// Swift's cooperative threads.
struct DownloadFile: ~Copyable {
    private enum Output {
        case part(DownloadPlace, descriptor: Int32)
        case direct(DirectOutput)
    }

    private static let blockBytes = 256 << 10

    private let output: Output
    private var hasher: SHA256?
    /// Whether the hasher has read the contents of the part file.
    private var hasReadPart = false
    private let worker = BlockingWorker()
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
    /// Reads the existing contents into the hash, so that a response does not have to wait for it.
    ///
    /// - Parameter check: Called between blocks. An error that it throws ends the reading.
    mutating func hashPart(_ check: () throws -> Void) async throws {
        guard case .part(_, let descriptor) = output, hasher != nil else { return }
        var offset: Int64 = 0
        while offset < size {
            try check()
            let (place, wanted) = (offset, Int(min(size - offset, Int64(Self.blockBytes))))
            let block = try await worker.run { () throws(FileFailure) -> [UInt8] in
                let block = [UInt8](unsafeUninitializedCapacity: wanted) { block, count in
                    count = max(0, retryingInterrupted { pread(descriptor, block.baseAddress, wanted, off_t(place)) })
                }
                guard !block.isEmpty else { throw FileFailure("the partial file can't be read", .last) }
                return block
            }
            block.withUnsafeBytes { hasher?.update($0) }
            offset += Int64(block.count)
        }
        hasReadPart = true
    }

    /// Keeps the existing contents, which ``hashPart(_:)`` has read, and continues at their end.
    mutating func keep() throws(FileFailure) {
        guard case .part(_, let descriptor) = output else { return }
        guard hasher == nil || hasReadPart, lseek(descriptor, 0, SEEK_END) == size else {
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
        hasReadPart = true
        size = 0
    }

    /// Appends bytes.
    ///
    /// - Parameter wait: Runs a write to a pipe or device whose reader makes no room, and limits its time.
    /// - Throws: ``FileFailure``; the errors of `wait`.
    mutating func append(
        _ bytes: Data,
        wait: (_ write: @escaping @Sendable () async throws -> Void) async throws -> Void
    ) async throws {
        do {
            switch output {
            case .part(_, let descriptor):
                try Descriptors.write(bytes, to: descriptor)
            case .direct(let output):
                let rest = bytes.dropFirst(try output.writeReady(bytes))
                if !rest.isEmpty { try await wait { try await output.write(rest) } }
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
    func synchronise() async throws(FileFailure) {
        guard case .part(_, let descriptor) = output else { return }
        try await worker.run { () throws(FileFailure) in try Self.synchronise(descriptor) }
    }

    /// Moves the complete file to the target in one step.
    func moveToTarget() async throws(FileFailure) {
        guard case .part(let place, let descriptor) = output else { return }
        try await worker.run { () throws(FileFailure) in
            try Self.synchronise(descriptor)
            do throws(SystemError) {
                try place.target.install(place.part, descriptor: descriptor)
            } catch {
                throw FileFailure("the file can't be moved to the target", error)
            }
            place.removeRecord()
        }
    }

    private static func synchronise(_ descriptor: Int32) throws(FileFailure) {
        guard fsync(descriptor) == 0 else { throw FileFailure("the file can't be written to the disk", .last) }
    }

    /// Deletes the part file.
    func remove() {
        guard case .part(let place, _) = output else { return }
        unlink(place.part)
        place.removeRecord()
    }
}
