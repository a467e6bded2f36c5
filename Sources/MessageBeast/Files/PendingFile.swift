public import AppNet

/// A file that waits for upload or that unsent messages use.
///
/// Its bytes are a copy in the folder of the engine, so the original file may change or be deleted. The copy is removed
/// when the last message that uses it is sent or deleted.
public struct PendingFile: Sendable, Hashable, Identifiable {
    /// The progress of an upload.
    public enum State: String, Sendable, Hashable {
        /// The service does not have the file, or it is unknown whether it does.
        case waiting
        /// The service has the file without its content.
        case created
        /// The service has the file with its content.
        case uploaded
        /// The upload waits for a decision of the user, and so do the messages that use the file.
        case parked
    }

    /// The id, for ``PendingFileAttachment/pendingFileID``.
    public let id: String

    /// The purpose of the file: a reverse domain name.
    public let type: String

    /// The file name sent to the service.
    public let name: String

    /// The media type of the content.
    public let mimeType: String

    /// The kind of the content; `nil` if the service decides.
    public let kind: File.Kind?

    /// Whether anyone may read the file on the service.
    public let isPublic: Bool

    /// The size in bytes.
    public let byteCount: Int64

    /// The SHA-256 of the content, in lower-case hexadecimal.
    public let sha256: String

    /// The progress of the upload.
    public let state: State

    /// The number of attempts that failed or whose outcome is unknown.
    public let sendAttemptsCount: Int

    /// The id on the service; `nil` if it is not known.
    public let fileID: File.ID?

    /// The last failure; `nil` if there was none since the file was staged or retried.
    public let lastFailure: ParkedReason?
}

extension PendingFile {
    init(_ row: PendingFileRow) {
        self.init(
            id: row.id,
            type: row.type,
            name: row.name,
            mimeType: row.mimeType,
            kind: row.kind.map { File.Kind(rawValue: $0) },
            isPublic: row.isPublic,
            byteCount: row.byteCount,
            sha256: row.sha256,
            state: row.state,
            sendAttemptsCount: row.attempts,
            fileID: row.file?.id,
            lastFailure: row.failure
        )
    }
}
