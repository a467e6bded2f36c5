internal import Foundation
internal import HeliumFiles

extension MessageBeastError.Kind {
    /// The file to import is invalid or is not an export. The message names the line. Nothing was imported.
    public static let invalidImport = Self(rawValue: "invalidImport")
    /// An import requires a store without messages and channels.
    public static let notEmpty = Self(rawValue: "notEmpty")
    /// A file other than the database cannot be read or written.
    public static let fileFailed = Self(rawValue: "fileFailed")
}

extension MessageBeastError {
    /// Returns the error for a failed system call.
    static func file(_ message: String, _ error: SystemError) -> Self {
        switch error.code {
        case ENOSPC, EDQUOT: Self(.diskFull, "\(message): the disk is full")
        case EROFS, EACCES, EPERM: Self(.readOnly, "\(message): \(error)")
        default: Self(.fileFailed, "\(message): \(error)")
        }
    }
}
