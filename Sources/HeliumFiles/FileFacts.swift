#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The kind, size, time of the last change, mode, owner and identity of a file.
///
/// Every target that examines files uses this type. `struct stat` differs between platforms, and the compiler may not
/// find it in a module that imports several C libraries.
package struct FileFacts: Hashable, Sendable {
    /// The kind of a file.
    package enum Kind: Hashable, Sendable {
        case regular
        case folder
        case symbolicLink
        case pipe
        case socket
        case characterDevice
        case blockDevice
        case unknown
    }

    /// The device and the inode, which are equal for two names of the same file.
    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    /// The kind of the file.
    package let kind: Kind

    /// The size in bytes. Only meaningful for regular files.
    package let size: Int64

    /// The time of the last change of the content (`st_mtime`), as the time since 1970.
    package let modified: Duration

    /// The permission bits with set-user-ID, set-group-ID and sticky bit: at most 0o7777.
    package let mode: UInt32

    /// The user id of the owner.
    package let owner: UInt32

    /// The group id.
    package let group: UInt32

    /// The device and the inode.
    package let identity: Identity

    /// Reads the facts of the file at `path`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - followingLinks: Whether the facts of a symbolic link are those of its target. Default: `true`.
    package init(atPath path: String, followingLinks: Bool = true) throws(SystemError) {
        var status = stat()
        guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .last }
        self.init(status)
    }

    /// Reads the facts of an open file.
    package init(descriptor: Int32) throws(SystemError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        self.init(status)
    }

    private init(_ status: stat) {
        // The values of S_IFMT and S_IF… are the same on all platforms.
        kind =
            switch UInt32(status.st_mode) & 0o170000 {
            case 0o100000: .regular
            case 0o040000: .folder
            case 0o120000: .symbolicLink
            case 0o010000: .pipe
            case 0o140000: .socket
            case 0o020000: .characterDevice
            case 0o060000: .blockDevice
            default: .unknown
            }
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        mode = UInt32(status.st_mode) & 0o7777
        owner = UInt32(status.st_uid)
        group = UInt32(status.st_gid)
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino)
        )
    }

    /// Whether the file belongs to the effective user of this process.
    package var isOwn: Bool { owner == UInt32(geteuid()) }

    /// Whether users other than the owner have any permission on the file.
    package var isOpenToOthers: Bool { mode & 0o077 != 0 }
}

extension FileFacts {
    /// Returns whether this process may read the file at `path`.
    package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Returns the path without symbolic links, `.` and `..`, or `nil` if there is no such file.
    package static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns an absolute path of the same file. The file does not need to exist.
    ///
    /// Libraries give some names a meaning of their own: for SQLite, `file:x.sqlite` is the URI of `x.sqlite`, and
    /// `:memory:` is no file. An absolute path is only a path, also after a change of the current folder.
    package static func absolutePath(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        // The current folder may have been removed. The path then leads nowhere, but remains a path.
        guard let folder = getcwd(nil, 0) else { return "./\(path)" }
        defer { free(folder) }
        let base = String(cString: folder)
        return base.hasSuffix("/") ? base + path : "\(base)/\(path)"
    }

    /// Returns the absolute path of a file without symbolic links, including a link to a file that does not exist yet.
    ///
    /// It names the same file whatever links lead to it, so that locks and other files beside it are found by all who use
    /// it. If the folder does not exist or links lead in a circle, the result is ``absolutePath(_:)``.
    package static func resolvedPath(_ path: String) -> String {
        let absolute = absolutePath(path)
        if let real = realPath(absolute) { return real }
        guard let target = try? FileTarget.followed(absolute), let slash = target.lastIndex(of: "/"),
            let folder = realPath(FileTarget.folder(of: target))
        else { return absolute }
        return (folder == "/" ? "" : folder) + target[slash...]
    }

    /// Changes the permission bits of the file at `path`.
    package static func setMode(_ mode: UInt32, atPath path: String) throws(SystemError) {
        guard chmod(path, mode_t(mode)) == 0 else { throw .last }
    }
}
