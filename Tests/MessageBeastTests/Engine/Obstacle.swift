import Foundation
import GRDB

@testable import MessageBeast

/// A reason for which SQLite refuses writes.
enum Obstacle: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The file has no room for another page.
    case full
    /// The connection may not write.
    case readOnly
    /// Another connection is in a write transaction for longer than the busy timeout.
    case locked

    var description: String { rawValue }

    var kind: MessageBeastError.Kind {
        switch self {
        case .full: .diskFull
        case .readOnly: .readOnly
        case .locked: .locked
        }
    }

    /// Puts the obstacle in the way of an engine's writes.
    ///
    /// - Returns: A function that removes it.
    func begin(for manager: MessageManager, at path: String) throws -> () throws -> Void {
        let writer = manager.writer
        func execute(_ sql: String) throws { try writer.writeWithoutTransaction { try $0.execute(sql: sql) } }
        switch self {
        case .full:
            let pages = try writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
            try execute("PRAGMA max_page_count = \(pages)")
            return { try execute("PRAGMA max_page_count = 1073741823") }
        case .readOnly:
            try execute("PRAGMA query_only = 1")
            return { try execute("PRAGMA query_only = 0") }
        case .locked:
            try execute("PRAGMA busy_timeout = 20")
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            return {
                try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
                try other.close()
            }
        }
    }
}

/// Files and folders that nobody can write to: not even root, who may write whatever the permissions say.
enum WriteProtection {
    /// Whether this process can protect files from itself. Root needs a file system with immutable files.
    static let isAvailable: Bool = {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("protected-\(UUID().uuidString)").path
        guard FileManager.default.createFile(atPath: path, contents: nil) else { return false }
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard (try? set(true, path)) != nil else { return false }
        defer { try? set(false, path) }
        return access(path, W_OK) != 0
    }()

    static func set(_ isProtected: Bool, _ path: String) throws {
        if geteuid() == 0 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/chattr")
            process.arguments = [isProtected ? "+i" : "-i", path]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw POSIXError(.EPERM) }
        } else {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let mode = (isFolder ? 0o500 : 0o400) | (isProtected ? 0 : 0o200)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }
}
