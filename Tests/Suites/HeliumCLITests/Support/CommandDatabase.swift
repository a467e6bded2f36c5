import GRDB

/// Opens a database that commands in this process have used.
///
/// - Note: Closing the last connection locks the file for a moment, also after its command has returned. So this waits for locks.
func openDatabase(_ path: String, allowsUnsafeTransactions: Bool = false) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = allowsUnsafeTransactions
    configuration.busyMode = .timeout(60)
    return try DatabaseQueue(path: path, configuration: configuration)
}
