internal import Foundation
internal import HeliumFiles

extension MessageBeastError.Kind {
    /// A file to import is broken, or none. The message names the line. Nothing was imported.
    public static let invalidImport = Self(rawValue: "invalidImport")
    /// An import needs a store without messages and channels.
    public static let notEmpty = Self(rawValue: "notEmpty")
    /// A file besides the database cannot be read or written.
    public static let fileFailed = Self(rawValue: "fileFailed")
}

extension MessageBeastError {
    /// The error for a system call.
    static func file(_ message: String, _ error: SystemError) -> Self {
        switch error.code {
        case ENOSPC, EDQUOT: Self(.diskFull, "\(message): the disk is full")
        case EROFS, EACCES, EPERM: Self(.readOnly, "\(message): \(error)")
        default: Self(.fileFailed, "\(message): \(error)")
        }
    }
}
