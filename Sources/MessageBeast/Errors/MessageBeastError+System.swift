internal import Foundation
internal import HeliumFiles

extension MessageBeastError {
    /// Creates the error for a failed system call that creates or writes a file beside the database.
    ///
    /// - Parameter failure: The consequence: `a file cannot be staged`.
    init(_ error: SystemError, _ failure: String) {
        let kind: Kind =
            switch error.code {
            // EFBIG: the file system, or a limit of the process, does not allow a file of that size.
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EROFS, EACCES, EPERM: .readOnly
            default: .cannotOpen
            }
        self.init(kind, "\(failure): \(error)")
    }
}
