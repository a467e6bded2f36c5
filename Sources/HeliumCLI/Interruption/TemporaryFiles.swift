import Foundation
import HeliumConcurrency
import Synchronization

/// Files and folders that must be deleted before the command ends. The code that creates one deletes it. These methods
/// delete those that remain if the command ends earlier.
final class TemporaryFiles: Sendable {
    private let paths = Guarded<[String]>([])

    /// Registers a file, or a folder that will be empty when it is deleted.
    func add(_ path: String) { paths.withLock { $0.append(path) } }

    /// Deletes all registered paths, last one first. Paths that do not exist are ignored.
    func removeAll() {
        let paths = paths.withLock { paths in
            defer { paths = [] }
            return paths
        }
        for path in paths.reversed() where unlink(path) != 0 { rmdir(path) }
    }
}
