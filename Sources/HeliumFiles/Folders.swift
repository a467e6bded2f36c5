#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A function that creates folders.
package enum Folders {
    /// Creates a folder and its missing parents. An existing folder is not changed.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - mode: The permission bits of each folder that is created, less the umask.
    package static func create(_ path: String, mode: UInt32) throws(SystemError) {
        if mkdir(path, mode_t(mode)) == 0 { return }
        var error = SystemError.last
        let parent = FileTarget.folder(of: path)
        if error.code == ENOENT, parent != ".", parent.utf8.count < path.utf8.count {
            try create(parent, mode: mode)
            if mkdir(path, mode_t(mode)) == 0 { return }
            error = .last
        }
        guard error.code == EEXIST, (try? FileFacts(atPath: path))?.kind == .folder else { throw error }
    }
}
