internal import Dispatch
internal import Foundation
internal import HeliumCore
internal import HeliumFiles

/// Staged files in the folder `<database>-files`, which only its owner can read. The folder is created with the first
/// file.
struct StagedFolder: StagedFiles {
    private let folder: String
    /// Copying and hashing may take seconds, so they do not block a thread of the cooperative pool.
    private let queue = DispatchQueue(label: "helium.messagebeast.files")

    private static let blockBytes = 256 << 10

    init(database path: String) { folder = path + "-files" }

    func path(_ name: String) throws -> String {
        guard StagedName.isValid(name) else { throw MessageBeastError(.damaged, "a staged file has an invalid name") }
        return "\(folder)/\(name)"
    }

    private func offloaded<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }

    // MARK: Writing

    func write(_ source: StagingSource, to name: String, atMost limit: Int64) async throws -> StagedContent {
        let path = try path(name)
        return try await offloaded {
            try prepareFolder()
            switch source {
            case .data(let data):
                guard Int64(data.count) <= limit else { throw MessageBeastError.stagingFull }
                return try create(path) { target in
                    try data.withUnsafeBytes { try Descriptors.write($0, to: target) }
                    return ContentDigest.content(of: data)
                }
            case .file(let source):
                let descriptor = try Self.open(source: source)
                defer { close(descriptor) }
                return try create(path) { try Self.copy(descriptor, to: $0, atMost: limit) }
            }
        }
    }

    func prepareFolder() throws {
        do {
            try Folders.create(folder, mode: 0o700)
            let facts = try FileFacts(atPath: folder, followingLinks: false)
            guard facts.kind == .folder, facts.isOwn else {
                throw MessageBeastError(.readOnly, "the folder of staged files does not belong to this user")
            }
            if facts.isOpenToOthers { try FileFacts.setMode(0o700, atPath: folder) }
        } catch let error as SystemError {
            throw MessageBeastError.staging(error)
        }
    }

    /// Creates a file, which is removed if `body` throws.
    private func create(_ path: String, _ body: (Int32) throws -> StagedContent) throws -> StagedContent {
        let target = retryingInterrupted {
            Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard target >= 0 else { throw MessageBeastError.staging(.last) }
        defer { close(target) }
        do {
            let content = try body(target)
            guard fsync(target) == 0 else { throw SystemError.last }
            return content
        } catch {
            unlink(path)
            throw (error as? SystemError).map { MessageBeastError.staging($0) } ?? error
        }
    }

    /// Opens a file of the user, which may be a symbolic link.
    private static func open(source path: String) throws -> Int32 {
        // Without O_NONBLOCK, a pipe would block the queue until another process writes to it.
        let descriptor = retryingInterrupted { Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            if errno == ENOENT { throw MessageBeastError(.notFound, "there is no file to stage at \(path)") }
            let reason = SystemError.last
            throw MessageBeastError(.invalidArgument, "the file to stage at \(path) cannot be read: \(reason)")
        }
        guard (try? FileFacts(descriptor: descriptor))?.kind == .regular else {
            close(descriptor)
            throw MessageBeastError(.invalidArgument, "the file to stage at \(path) is not a regular file")
        }
        return descriptor
    }

    private static func copy(_ source: Int32, to target: Int32, atMost limit: Int64) throws -> StagedContent {
        var digest = ContentDigest()
        try forEachBlock(of: source) { bytes in
            guard digest.byteCount + Int64(bytes.count) <= limit else { throw MessageBeastError.stagingFull }
            digest.update(bytes)
            try Descriptors.write(bytes, to: target)
        }
        return digest.finalize()
    }

    private static func forEachBlock(of descriptor: Int32, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 1)
        defer { block.deallocate() }
        while true {
            let count = retryingInterrupted { read(descriptor, block.baseAddress, block.count) }
            guard count >= 0 else { throw SystemError.last }
            if count == 0 { return }
            try body(UnsafeRawBufferPointer(rebasing: block[..<count]))
        }
    }

    // MARK: Names

    func move(_ name: String, to other: String) throws {
        let (from, to) = (try path(name), try path(other))
        guard rename(from, to) == 0 else { throw MessageBeastError.staging(.last) }
        try? FileTarget(to).synchroniseFolder()
    }

    func remove(_ name: String) {
        if let path = try? path(name) { unlink(path) }
    }

    func names() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(StagedName.isValid)
    }

    // MARK: Reading

    func size(of name: String) -> Int64? {
        guard let path = try? path(name), let facts = try? FileFacts(atPath: path, followingLinks: false),
            facts.kind == .regular
        else { return nil }
        return facts.size
    }

    func content(of name: String) async -> StagedContent? {
        guard let path = try? path(name) else { return nil }
        return try? await offloaded {
            let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            let descriptor = retryingInterrupted { Foundation.open(path, flags) }
            guard descriptor >= 0 else { throw SystemError.last }
            defer { close(descriptor) }
            var digest = ContentDigest()
            try Self.forEachBlock(of: descriptor) { digest.update($0) }
            return digest.finalize()
        }
    }

    func body(of name: String) -> UploadBody {
        guard let path = try? path(name), size(of: name) != nil else {
            return UploadBody(length: nil, isReplayable: true) { throw UploadFailure("the staged file is missing") }
        }
        return UploadBody(fileAtPath: path)
    }
}

extension MessageBeastError {
    fileprivate static func staging(_ error: SystemError) -> Self { Self(error, "a file cannot be staged") }
}
