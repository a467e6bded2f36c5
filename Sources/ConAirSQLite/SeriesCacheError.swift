public import Foundation
internal import GRDB
internal import HeliumDatabase

/// The error of a cache in a file.
public struct SeriesCacheError: Error, Hashable, Sendable {
    /// The kind of failure: stable, suitable for `switch` and for the label of a metric.
    public let kind: Kind

    /// A sentence to show to people.
    public let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension SeriesCacheError {
    /// A kind of failure. More kinds may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind.
        public let rawValue: String

        /// Creates the kind with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the kind.
        public var description: String { rawValue }
    }
}

extension SeriesCacheError.Kind {
    /// The file was written by a newer version. It is unchanged.
    public static let newer = Self(rawValue: "newer")
    /// The file was never a cache: a database of another program, a text, or not a regular file. It is unchanged.
    public static let foreign = Self(rawValue: "foreign")
    /// The file was damaged while it was open. Opening it again moves it aside.
    public static let damaged = Self(rawValue: "damaged")
    /// The disk is full.
    public static let diskFull = Self(rawValue: "diskFull")
    /// The file or its folder cannot be written.
    public static let readOnly = Self(rawValue: "readOnly")
    /// Another process held a lock on the file, or had a damaged file open, for longer than five seconds.
    public static let locked = Self(rawValue: "locked")
    /// The file cannot be opened, or a damaged file cannot be moved aside.
    public static let cannotOpen = Self(rawValue: "cannotOpen")
    /// Any other failure of the database.
    public static let databaseFailed = Self(rawValue: "databaseFailed")
}

extension SeriesCacheError: CustomStringConvertible, LocalizedError {
    /// The kind and the message: `newer: the store of a newer version: use that version, or another file`.
    public var description: String { "\(kind): \(message)" }

    /// The text of ``description``.
    public var errorDescription: String? { description }
}

extension SeriesCacheError {
    /// Creates the error for a failure of the database. SQL and arguments are left out.
    init(_ error: DatabaseError) {
        let code = "SQLite error \(error.extendedResultCode.rawValue)"
        self =
            switch error.resultCode {
            case .SQLITE_FULL: Self(.diskFull, "the disk is full (\(code))")
            case .SQLITE_READONLY, .SQLITE_PERM: Self(.readOnly, "the file cannot be written (\(code))")
            case .SQLITE_BUSY, .SQLITE_LOCKED: Self(.locked, "the file is locked by another process (\(code))")
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: Self(.damaged, "the file is damaged (\(code))")
            case .SQLITE_CANTOPEN: Self(.cannotOpen, "the file cannot be opened (\(code))")
            default: Self(.databaseFailed, "the database failed (\(code))")
            }
    }

    /// Creates the error for a file that cannot be used.
    init(_ fault: DatabaseFile.Fault) {
        switch fault {
        case .newer: self.init(.newer, fault.description)
        case .noFolder: self.init(.cannotOpen, fault.description)
        case .notADatabase: self.init(.damaged, fault.description)
        case .notAFile, .foreign: self.init(.foreign, fault.description)
        }
    }

    /// Returns the error for callers for an error of the database. Other errors are returned unchanged.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError: SeriesCacheError(error)
        case let fault as DatabaseFile.Fault: SeriesCacheError(fault)
        default: error
        }
    }
}
