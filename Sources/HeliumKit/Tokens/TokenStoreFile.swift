internal import HeliumCrypto
internal import HeliumEssentials
internal import HeliumFiles

/// The blocking part of ``FileTokenStore``: one file, its lock and its temporary sibling. It never waits for a lock.
struct TokenStoreFile: Sendable {
    let path: String
    let key: EncryptionKey?
    let maximumByteCount: Int

    /// Returns the contents, or an empty document if there is no file.
    func read() throws(TokenStoreError) -> TokenStoreDocument {
        // Non-blocking, so that opening a pipe with that name can't block.
        let descriptor = retryingInterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            if errno == ENOENT { return TokenStoreDocument() }
            throw failure(.unreadable, "it cannot be opened")
        }
        defer { close(descriptor) }
        let kind: FileFacts.Kind
        do {
            kind = try FileFacts(descriptor: descriptor).kind
        } catch {
            throw failure(.unreadable, "it cannot be examined", error)
        }
        guard kind == .regular else { throw TokenStoreError(.unreadable, at: path, "it is not a regular file") }
        return try TokenStoreDocument(bytes: contents(of: descriptor), key: key, location: path)
    }

    /// Applies `body` to the contents and stores them if they changed. Returns `nil` if another process holds the lock.
    func change<R>(
        policy: StoreFailurePolicy,
        _ body: (inout TokenStoreDocument) -> R
    ) throws(TokenStoreError) -> R? {
        if policy.startsAfresh, (try? FileFacts(atPath: path))?.kind == .folder { try putAside(path) }
        let target = try target()
        guard let lock = try lock(of: target) else { return nil }
        // Closing releases the lock, also when the process ends.
        defer { close(lock) }
        var document: TokenStoreDocument
        do {
            document = try read()
        } catch {
            guard policy.startsAfresh else { throw error }
            try putAside(target.path)
            document = TokenStoreDocument()
        }
        let before = try document.bytes(key: nil, location: path)
        let result = body(&document)
        if try document.bytes(key: nil, location: path) != before { try write(document, to: target) }
        return result
    }

    private func putAside(_ path: String) throws(TokenStoreError) {
        guard rename(path, path + ".corrupt") == 0 else { throw failure(.unwritable, "it cannot be moved aside") }
    }

    /// Creates the sibling that changes are written to, and deletes it. Returns `nil` if another process holds the
    /// lock.
    func checkWritable() throws(TokenStoreError) -> Void? {
        let target = try target()
        guard let lock = try lock(of: target) else { return nil }
        defer { close(lock) }
        let temporary = Self.temporary(of: target)
        unlink(temporary)  // of a process that died
        let descriptor = retryingInterrupted {
            open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard descriptor >= 0 else { throw failure(.unwritable, "no file can be created beside it") }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        // A change keeps the owner, and the mode of another user's file can't be made private.
        if let facts = target.facts, !facts.isOwn,
            fchown(descriptor, uid_t(facts.owner), gid_t(facts.group)) != 0
        {
            throw failure(.unwritable, "it belongs to another user")
        }
        return ()
    }

    /// Returns the file at the path. Links are followed, so that all names of the file share one lock.
    private func target() throws(TokenStoreError) -> FileTarget {
        let target: FileTarget
        do {
            target = try FileTarget(path)
        } catch {
            throw failure(.unwritable, "it cannot be examined", error)
        }
        guard target.isReplaced else { throw TokenStoreError(.unwritable, at: path, "it is not a regular file") }
        return target
    }

    /// Returns the descriptor of the locked lock file, or `nil` if another process holds the lock.
    private func lock(of target: FileTarget) throws(TokenStoreError) -> Int32? {
        let lock = retryingInterrupted {
            open(target.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        }
        guard lock >= 0 else { throw failure(.unwritable, "its lock file cannot be opened") }
        if retryingInterrupted({ flock(lock, LOCK_EX | LOCK_NB) }) == 0 { return lock }
        defer { close(lock) }
        if errno == EWOULDBLOCK { return nil }
        throw failure(.unwritable, "its lock file cannot be locked")
    }

    private static func temporary(of target: FileTarget) -> String { target.path + ".tmp" }

    /// Writes a sibling file and renames it over the file. The caller holds the lock, so no other process uses the
    /// sibling.
    private func write(_ document: TokenStoreDocument, to target: FileTarget) throws(TokenStoreError) {
        let bytes = try document.bytes(key: key, location: path)
        guard bytes.count <= maximumByteCount else {
            throw TokenStoreError(
                .tooLarge,
                at: path,
                "the new contents would have more than \(maximumByteCount) bytes"
            )
        }
        let temporary = Self.temporary(of: target)
        unlink(temporary)  // of a process that died
        do {
            try target.replace(with: bytes, sibling: temporary, permissions: .ownerOnly)
        } catch {
            throw failure(.unwritable, "the new contents cannot be written", error)
        }
    }

    private func contents(of descriptor: Int32) throws(TokenStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let capacity = chunk.count
            let count = retryingInterrupted { systemRead(descriptor, &chunk, capacity) }
            guard count >= 0 else { throw failure(.unreadable, "it cannot be read") }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= maximumByteCount else {
                throw TokenStoreError(.tooLarge, at: path, "it has more than \(maximumByteCount) bytes")
            }
            bytes += chunk[..<count]
        }
    }

    private func failure(
        _ kind: TokenStoreError.Kind,
        _ reason: String,
        _ error: SystemError = .last
    ) -> TokenStoreError {
        TokenStoreError(kind, at: path, reason, systemError: error.code)
    }
}
