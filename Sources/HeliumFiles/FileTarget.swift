#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The file at a path, before its contents are replaced.
///
/// A regular file is replaced in one step: the new contents are written to a sibling, which is then renamed
/// (``install(_:descriptor:permissions:)``). A pipe or device is written directly (``DirectOutput``), because renaming
/// would replace it by a regular file.
package struct FileTarget: Sendable {
    /// The permission bits of the new file.
    package enum Permissions: Sendable {
        /// The permission bits of the file that is replaced.
        case kept
        /// Read and write for the owner, whatever the permissions of the replaced file.
        case ownerOnly
    }

    /// The maximum number of symbolic links that are followed, as in Linux.
    private static let maximumLinks = 40

    /// The path with symbolic links of its last component followed, including a link to a file that does not exist yet.
    package let path: String

    /// The file at ``path``; `nil` if there is none.
    package let facts: FileFacts?

    /// Whether the contents are written to a sibling that is renamed. Otherwise the file is written directly.
    package let isReplaced: Bool

    /// Examines the file at `path`.
    ///
    /// - Throws: `EISDIR` for a folder, `EOPNOTSUPP` for a socket, `ELOOP` for too many links.
    package init(_ path: String) throws(SystemError) {
        facts = try Self.facts(path)
        if facts?.kind == .folder { throw SystemError(EISDIR) }
        if facts?.kind == .socket { throw SystemError(EOPNOTSUPP) }
        isReplaced = (facts?.kind ?? .regular) == .regular && DirectOutput.standardDescriptor(path) == nil
        // The links of pipes below /proc do not contain paths.
        self.path = isReplaced ? try Self.followed(path) : path
    }

    /// The mode with which a sibling is created. It is private if a file is replaced, because that file may be private.
    package var siblingMode: UInt32 { facts == nil ? 0o666 : 0o600 }

    /// Returns the facts of the file, or `nil` if there is none.
    private static func facts(_ path: String) throws(SystemError) -> FileFacts? {
        do { return try FileFacts(atPath: path) } catch  where error.code == ENOENT { return nil }
    }

    /// Returns the path with the links at `path` followed, including a link to a file that does not exist yet.
    static func followed(_ path: String) throws(SystemError) -> String {
        var path = path
        for _ in 0..<maximumLinks {
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = readlink(path, &bytes, bytes.count - 1)
            guard count >= 0 else {
                // EINVAL: not a link. ENOENT: the file does not exist yet.
                if errno == EINVAL || errno == ENOENT { return path }
                throw .last
            }
            let next = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            path = next.hasPrefix("/") ? next : folder(of: path) + "/" + next
        }
        throw SystemError(ELOOP)
    }

    /// Returns the folder of a path.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

// MARK: Replacing

extension FileTarget {
    /// Moves a complete sibling to the target in one step. Keeps owner, group and permission bits of the replaced file,
    /// without set-user-ID and set-group-ID.
    ///
    /// If this process may not give the sibling to the replaced file's owner or group, the contents are copied into that
    /// file. Then a crash can leave an incomplete file. Access control lists and extended attributes are not kept.
    ///
    /// - Parameters:
    ///   - sibling: The path of the new file, in the target's folder and already on the disk.
    ///   - descriptor: The sibling, open for writing.
    ///   - permissions: The permission bits of the result. Default: `.kept`.
    /// - Throws: `SystemError`; `EEXIST` if the target is no longer a regular file; `EPERM` if the permissions shall be
    ///   `.ownerOnly` and the replaced file belongs to a user whose files this process may not change. The sibling is
    ///   then kept, and the target is unchanged.
    package func install(
        _ sibling: String,
        descriptor: Int32,
        permissions: Permissions = .kept
    ) throws(SystemError) {
        if let present = try present() {
            guard present.kind == .regular else { throw SystemError(EEXIST) }
            let own = try FileFacts(descriptor: descriptor)
            if own.owner != present.owner || own.group != present.group {
                guard fchown(descriptor, uid_t(present.owner), gid_t(present.group)) == 0 else {
                    guard errno == EPERM else { throw .last }
                    return try copy(sibling, permissions: permissions)
                }
            }
            let mode: UInt32 =
                switch permissions {
                case .kept: present.mode & 0o777
                case .ownerOnly: 0o600
                }
            guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .last }
        }
        guard rename(sibling, path) == 0 else { throw .last }
        synchroniseFolder()
    }

    /// Replaces the contents in one step, or creates the file if there is none.
    ///
    /// - Parameters:
    ///   - bytes: The new contents.
    ///   - sibling: The path of the temporary file. Default: a random name in the target's folder.
    ///   - permissions: The permission bits of the result. Default: `.kept`; 0o666 less the umask for a new file.
    package func replace(
        with bytes: some Collection<UInt8>,
        sibling: String? = nil,
        permissions: Permissions = .kept
    ) throws(SystemError) {
        let sibling = sibling ?? "\(path).\(UInt64.random(in: 0 ... .max))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let mode = permissions == .ownerOnly ? 0o600 : siblingMode
        let descriptor = retryingInterrupted { open(sibling, flags, mode_t(mode)) }
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        do throws(SystemError) {
            try Descriptors.write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw .last }
            try install(sibling, descriptor: descriptor, permissions: permissions)
        } catch {
            unlink(sibling)
            throw error
        }
    }

    /// Writes the target's folder to the disk, so that a rename survives a power failure. A failure is ignored, because
    /// the file has been renamed anyway.
    package func synchroniseFolder() {
        let descriptor = open(Self.folder(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func present() throws(SystemError) -> FileFacts? {
        do { return try FileFacts(atPath: path, followingLinks: false) } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// Copies the contents of the sibling into the target and deletes the sibling.
    func copy(_ sibling: String, permissions: Permissions = .kept) throws(SystemError) {
        let source = retryingInterrupted { open(sibling, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard source >= 0 else { throw .last }
        defer { close(source) }
        let descriptor = retryingInterrupted { open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        guard try FileFacts(descriptor: descriptor).kind == .regular else { throw SystemError(EEXIST) }
        // Before the contents are written: private contents must not get into a file that others can read.
        if permissions == .ownerOnly { guard fchmod(descriptor, 0o600) == 0 else { throw .last } }
        guard ftruncate(descriptor, 0) == 0 else { throw .last }
        try Descriptors.copy(from: source, to: descriptor)
        guard fsync(descriptor) == 0 else { throw .last }
        unlink(sibling)
    }
}
