internal import GRDB
internal import HeliumDatabase

extension MessageBeastError {
    /// Creates the error for a failure of the database. SQL and arguments are left out, because they may contain user
    /// data.
    init(_ error: DatabaseError) {
        let code = "SQLite error \(error.extendedResultCode.rawValue)"
        self =
            switch error.resultCode {
            // SQLite cannot enlarge the index of its log.
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
                Self(.diskFull, "the disk is full (\(code))")
            case .SQLITE_FULL: Self(.diskFull, "the disk is full (\(code))")
            case .SQLITE_READONLY, .SQLITE_PERM: Self(.readOnly, "the database cannot be written (\(code))")
            case .SQLITE_BUSY, .SQLITE_LOCKED: Self(.locked, "the database is locked by another process (\(code))")
            case .SQLITE_CORRUPT: Self(.damaged, "the database is damaged (\(code))")
            case .SQLITE_NOTADB: Self(.notADatabase, "not a SQLite database (\(code))")
            case .SQLITE_CANTOPEN: Self(.cannotOpen, "the database cannot be opened (\(code))")
            default: Self(.databaseFailed, "the database failed (\(code))")
            }
    }

    /// Creates the error for a file that cannot be used.
    init(_ fault: DatabaseFile.Fault) {
        switch fault {
        case .newer: self.init(.superseded, "the database was written by a newer version")
        case .noFolder: self.init(.cannotOpen, fault.description)
        case .notAFile, .notADatabase, .foreign: self.init(.notADatabase, fault.description)
        }
    }

    /// Creates the error for a file that cannot be read in a folder that cannot be written.
    init(_ fault: DatabaseFile.ReadingFault) {
        switch fault {
        case .unreadableLog: self.init(.readOnly, "the folder of the database cannot be written, and \(fault)")
        case .changed: self.init(.locked, fault.description)
        }
    }

    /// Runs `body` and translates errors of the database.
    static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw translated(error) }
    }

    /// Returns the error for callers for an error of the database. Other errors are returned unchanged.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError: MessageBeastError(error)
        case let fault as DatabaseFile.Fault: MessageBeastError(fault)
        case let fault as DatabaseFile.ReadingFault: MessageBeastError(fault)
        default: error
        }
    }
}
