import Foundation
import HeliumConcurrency
import Synchronization

/// Files and folders that must not outlive the process. Whoever makes one removes it; these are removed as well where the
/// process ends before that.
enum TemporaryFiles {
    private static let paths = Guarded<[String]>([])

    /// Notes a file, or a folder that is empty by the time it is removed.
    static func add(_ path: String) { paths.withLock { $0.append(path) } }

    /// Removes them all, the last first. Paths that are gone are passed over.
    static func removeAll() {
        let paths = paths.withLock { paths in
            defer { paths = [] }
            return paths
        }
        for path in paths.reversed() where unlink(path) != 0 { rmdir(path) }
    }
}
