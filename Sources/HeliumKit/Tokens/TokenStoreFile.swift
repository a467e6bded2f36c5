internal import Foundation
internal import HeliumCrypto

/// The blocking part of ``FileTokenStore``: one file, its lock and its temporary sibling. Never waits for a lock.
struct TokenStoreFile: Sendable {
    let path: String
    let key: EncryptionKey?
    let maximumByteCount: Int

    /// The contents; an empty document if there is no file.
    func read() throws(TokenStoreError) -> TokenStoreDocument {
        // Non-blocking, so that a pipe in the file's place cannot hang us.
        let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            if errno == ENOENT { return TokenStoreDocument() }
            throw failure(.unreadable, "it cannot be opened")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.unreadable, "it cannot be examined") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TokenStoreError(.unreadable, at: path, "it is not a regular file")
        }
        return try TokenStoreDocument(bytes: contents(of: descriptor), key: key, location: path)
    }

    /// Applies `body` to the contents and stores them if they changed; nil if another holder has the lock.
    func change<R>(
        policy: StoreFailurePolicy,
        _ body: (inout TokenStoreDocument) -> R
    ) throws(TokenStoreError) -> R? {
        guard let lock = try lock() else { return nil }
        // Closing releases the lock, also when the process dies.
        defer { close(lock) }
        var document: TokenStoreDocument
        do {
            document = try read()
        } catch {
            guard policy.startsAfresh else { throw error }
            guard rename(path, path + ".corrupt") == 0 else { throw failure(.unwritable, "it cannot be put aside") }
            document = TokenStoreDocument()
        }
        let before = try document.bytes(key: nil, location: path)
        let result = body(&document)
        if try document.bytes(key: nil, location: path) != before { try write(document) }
        return result
    }

    /// Makes the sibling that changes are written to, and removes it; nil if another holder has the lock.
    func checkWritable() throws(TokenStoreError) -> Void? {
        guard let lock = try lock() else { return nil }
        defer { close(lock) }
        close(try makeTemporary())
        unlink(temporary)
        return ()
    }

    /// The descriptor of the lock file, locked; nil if another holder has the lock.
    private func lock() throws(TokenStoreError) -> Int32? {
        let lock = retrying { open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
        guard lock >= 0 else { throw failure(.unwritable, "its lock file cannot be opened") }
        if retrying({ flock(lock, LOCK_EX | LOCK_NB) }) == 0 { return lock }
        defer { close(lock) }
        if errno == EWOULDBLOCK { return nil }
        throw failure(.unwritable, "its lock file cannot be locked")
    }

    private var temporary: String { path + ".tmp" }

    private func makeTemporary() throws(TokenStoreError) -> Int32 {
        unlink(temporary)  // of a process that died
        let descriptor = retrying { open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard descriptor >= 0 else { throw failure(.unwritable, "no file can be made beside it") }
        return descriptor
    }

    /// Writes beside the file and renames over it. The caller holds the lock, so the sibling is ours alone.
    private func write(_ document: TokenStoreDocument) throws(TokenStoreError) {
        let bytes = try document.bytes(key: key, location: path)
        guard bytes.count <= maximumByteCount else {
            throw TokenStoreError(.tooLarge, at: path, "it would have more than \(maximumByteCount) bytes")
        }
        let descriptor = try makeTemporary()
        guard writeAll(bytes, to: descriptor), fsync(descriptor) == 0 else {
            let error = failure(.unwritable, "the new contents cannot be written")
            close(descriptor)
            unlink(temporary)
            throw error
        }
        close(descriptor)
        guard rename(temporary, path) == 0 else {
            let error = failure(.unwritable, "it cannot be replaced")
            unlink(temporary)
            throw error
        }
        synchroniseDirectory()
    }

    private func contents(of descriptor: Int32) throws(TokenStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let capacity = chunk.count
            let count = retrying { Foundation.read(descriptor, &chunk, capacity) }
            guard count >= 0 else { throw failure(.unreadable, "it cannot be read") }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= maximumByteCount else {
                throw TokenStoreError(.tooLarge, at: path, "it has more than \(maximumByteCount) bytes")
            }
            bytes += chunk[..<count]
        }
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                let count = retrying { Foundation.write(descriptor, slice.baseAddress, slice.count) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// So that the rename outlives a power failure; a file system that cannot do it has still renamed.
    private func synchroniseDirectory() {
        let directory = (path as NSString).deletingLastPathComponent
        let descriptor = open(directory.isEmpty ? "." : directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ kind: TokenStoreError.Kind, _ reason: String) -> TokenStoreError {
        TokenStoreError(kind, at: path, reason, systemError: errno)
    }
}

/// Repeats a system call that a signal interrupted.
private func retrying<R: SignedInteger>(_ call: () -> R) -> R {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
