internal import GRDB

/// The failure of a read or a write of a store, with its cause in words for the operator.
package struct StoreFault: Error, Hashable, CustomStringConvertible {
    /// The cause of a failure.
    package enum Cause: Hashable, Sendable, CaseIterable {
        /// There is no room left on the disk.
        case full
        /// The file or its file system is read-only.
        case readOnly
        /// The system could not read, write or open the file.
        case inputOutput
        /// Another process held the file for too long, or memory was short.
        case busy
        /// The contents of the file are damaged.
        case damaged
        /// Any other cause.
        case unexpected
    }

    /// The cause.
    package let cause: Cause
    /// SQLite's extended result code; `nil` if SQLite did not report the failure.
    package let code: Int32?
    /// The words for a failure of an unexpected kind: SQLite's for its code, or the type of another error. An error's
    /// own text is left out, because it may quote a row; `nil` for the other causes.
    private let words: String?

    /// Classifies an error of an access to a store.
    package init(_ error: any Error) {
        if let fault = error as? StoreFault {
            self = fault
            return
        }
        let failure = error as? DatabaseError
        code = failure?.extendedResultCode.rawValue
        cause =
            switch failure?.resultCode {
            case ResultCode.SQLITE_FULL?: .full
            case ResultCode.SQLITE_READONLY?: .readOnly
            case ResultCode.SQLITE_IOERR?, ResultCode.SQLITE_CANTOPEN?: .inputOutput
            case ResultCode.SQLITE_BUSY?, ResultCode.SQLITE_LOCKED?, ResultCode.SQLITE_PROTOCOL?,
                ResultCode.SQLITE_NOMEM?:
                .busy
            case ResultCode.SQLITE_CORRUPT?, ResultCode.SQLITE_NOTADB?: .damaged
            default: .unexpected
            }
        // An error that is made of a code alone has SQLite's constant text for it.
        let constant = failure.map { DatabaseError(resultCode: $0.extendedResultCode).message ?? "unknown" }
        words = cause == .unexpected ? constant ?? "\(type(of: error))" : nil
    }

    /// Whether the store may work again without a change of its contents, so that a later attempt is reasonable.
    package var isTemporary: Bool {
        switch cause {
        case .full, .readOnly, .inputOutput, .busy: true
        case .damaged, .unexpected: false
        }
    }

    /// The number of seconds after which a client should try again.
    package static let retryAfter = 5

    /// Returns the failure of an access that may work again; `nil` for other errors.
    package static func temporary(_ error: any Error) -> StoreFault? {
        let fault = StoreFault(error)
        return fault.isTemporary ? fault : nil
    }

    /// The text of an error for the log and for the error of a start. It contains nothing from the store.
    ///
    /// GRDB's errors, and those of decoders, print the values of a row with its secrets, or its key.
    package static func text(of error: any Error) -> String {
        switch error {
        case is DatabaseError: "\(StoreFault(error))"
        case is RowDecodingError, is DecodingError, is EncodingError: "a row cannot be decoded"
        case _ where String(reflecting: type(of: error)).hasPrefix("GRDB."): "\(StoreFault(error))"
        default: "\(error)"
        }
    }

    /// The cause and SQLite's code, such as `an access failed: constraint failed (SQLite error 2067)`. It contains nothing from the store or a statement.
    package var description: String {
        let text =
            switch cause {
            case .full: "the disk is full"
            case .readOnly: "the file is read-only"
            case .inputOutput: "the file cannot be read or written"
            case .busy: "another process holds the file, or memory is short"
            case .damaged: "the file is damaged"
            case .unexpected: "an access failed: \(words ?? "unknown")"
            }
        return code.map { "\(text) (SQLite error \($0))" } ?? text
    }
}
