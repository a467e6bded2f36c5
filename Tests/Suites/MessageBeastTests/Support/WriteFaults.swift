import AppNet
import Foundation
import GRDB
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumDatabase
import HeliumTesting
import Synchronization

@testable import MessageBeast

/// Something that goes wrong during a call.
enum WriteFault: Sendable, CustomStringConvertible {
    /// The caller is cancelled before the call begins.
    case cancelledBefore
    /// The caller is cancelled at an access to the database, to a staged file or to the service, by number.
    case cancelled(at: Int)
    /// The database fails at an access, by number: when a transaction begins, or when it ends.
    case failing(at: Int, ResultCode)
    /// The database fails at the change of a row, by number.
    case failingChange(at: Int, ResultCode)
    /// SQLite ends a statement, by number: reads, statements of triggers and those of the search index, too. After one that
    /// writes, SQLite itself has rolled back the transaction, as after an I/O error.
    case interruptedStatement(at: Int)

    var description: String {
        switch self {
        case .cancelledBefore: "cancelled before"
        case .cancelled(let number): "cancelled at access \(number)"
        case .failing(let number, let code): "SQLite \(code.rawValue) at access \(number)"
        case .failingChange(let number, let code): "SQLite \(code.rawValue) at change \(number)"
        case .interruptedStatement(let number): "interrupted at statement \(number)"
        }
    }
}

/// Decides where one call goes wrong.
final class WriteFaults: Sendable {
    private struct State {
        var fault: WriteFault?
        var accesses = 0
        var changes = 0
        var statements = 0
        var hasHappened = false
        var cancel: (@Sendable () -> Void)?
        var writingRequests = 0
    }

    private let state = Guarded(State())

    /// Whether the fault of the call has happened.
    var hasHappened: Bool { state.withLock { $0.hasHappened } }

    /// The number of requests of the call that change something on the service.
    var writingRequests: Int { state.withLock { $0.writingRequests } }

    /// Plans the fault of the next call.
    func arm(_ fault: WriteFault?) { state.withLock { $0 = State(fault: fault) } }

    /// Ends the plan, so that the test can look.
    func disarm() { state.withLock { $0.fault = nil } }

    /// Sets the function that cancels the call.
    func onCancel(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

    /// Notes an access to the database.
    func pass(_ passage: DatabaseAccess.Passage) throws {
        // After its commit, a transaction does not fail.
        try access(mayFail: passage != .committed)
    }

    /// Notes an access to anything.
    func access(mayFail: Bool = false) throws {
        let (cancel, code) = state.withLock { state -> ((@Sendable () -> Void)?, ResultCode?) in
            guard let fault = state.fault else { return (nil, nil) }
            defer { state.accesses += 1 }
            switch fault {
            case .cancelled(let number) where number == state.accesses:
                state.hasHappened = true
                return (state.cancel, nil)
            case .failing(let number, let code) where number == state.accesses:
                state.hasHappened = true
                return (nil, mayFail ? code : nil)
            default: return (nil, nil)
            }
        }
        cancel?()
        if let code { throw DatabaseError(resultCode: code) }
    }

    /// Notes the change of a row.
    func change() throws {
        let code = state.withLock { state -> ResultCode? in
            guard case .failingChange(let number, let code)? = state.fault else { return nil }
            defer { state.changes += 1 }
            guard number == state.changes else { return nil }
            state.hasHappened = true
            return code
        }
        if let code { throw DatabaseError(resultCode: code) }
    }

    /// Notes a statement.
    ///
    /// - Returns: Whether it is to be ended.
    private func isInterrupted(_ sql: String) -> Bool {
        // What begins and ends a transaction is an access.
        guard !["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"].contains(where: sql.hasPrefix) else {
            return false
        }
        return state.withLock { state in
            guard case .interruptedStatement(let number)? = state.fault else { return false }
            defer { state.statements += 1 }
            guard number == state.statements else { return false }
            state.hasHappened = true
            return true
        }
    }

    /// Notes a request. One that changes something is not cancelled: whether it took effect would be unknown.
    fileprivate func note(_ request: TransportRequest) throws {
        guard request.method == .get else { return state.withLock { $0.writingRequests += 1 } }
        try access()
    }

    /// Observes what a fault needs to happen. Nothing is observed for the other faults, because both ways make SQLite
    /// slower.
    func watch(for fault: WriteFault?, _ tables: [String], of queue: DatabaseQueue) throws {
        switch fault {
        case .failingChange: try watchChanges(tables, of: queue)
        case .interruptedStatement: watchStatements(of: queue)
        case .cancelledBefore, .cancelled, .failing, nil: break
        }
    }

    /// Ends the statement whose turn it is. SQLite asks for an interruption after it has reported a statement, and before
    /// the statement does anything.
    private func watchStatements(of queue: DatabaseQueue) {
        queue.writeWithoutTransaction { database in
            database.trace(options: .statement) { [self, weak queue] event in
                if case .statement(let statement) = event, isInterrupted(statement.sql) { queue?.interrupt() }
            }
        }
    }

    /// Calls ``change()`` before each change of a row of tables.
    private func watchChanges(_ tables: [String], of queue: DatabaseQueue) throws {
        let function = DatabaseFunction("note_change", argumentCount: 0, pure: false) { [self] _ in
            try change()
            return nil
        }
        try queue.write { database in
            database.add(function: function)
            for table in tables {
                for event in ["INSERT", "UPDATE", "DELETE"] {
                    try database.execute(
                        sql: """
                            CREATE TEMP TRIGGER change_\(event)_\(table) BEFORE \(event) ON \(table)
                            BEGIN SELECT note_change(); END
                            """
                    )
                }
            }
        }
    }
}

/// A service that accepts each message and has none.
struct AcceptingService: HTTPTransport {
    let faults: WriteFaults

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        try? faults.note(request)
        let changed = #"{"id": "7", "channel_id": "100", "text": "Changed", "created_at": "2023-11-14T22:13:20Z"}"#
        switch request.method {
        case .post:
            let data = #"{"id": "900", "channel_id": "100", "text": "Posted", "created_at": "2023-11-14T22:13:20Z"}"#
            return .json(#"{"meta": {"code": 200}, "data": \#(data)}"#)
        case .get where request.url.target.contains("ids="):
            return .json(#"{"meta": {"code": 200}, "data": [\#(changed)]}"#)
        case .get where request.url.target.contains("/messages/"):
            return .json(#"{"meta": {"code": 200}, "data": \#(changed)}"#)
        case .get where request.url.target.hasSuffix("/config"):
            return .json(#"{"meta": {"code": 200}, "data": {"message": {"text_max_length": 2048}}}"#)
        default: return .json(#"{"meta": {"code": 200, "more": false}, "data": []}"#)
        }
    }

    func shutdown() async {}
}
