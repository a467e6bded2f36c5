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
