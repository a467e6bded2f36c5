public import HeliumCore

/// A file that was downloaded: it stands at its target, whole, and is on the disk.
public struct HeliumDownload: Sendable {
    /// Status and fields of the answer that brought the file, or its last part.
    public let head: ResponseHead

    /// The file's size.
    public let bytes: Int64

    /// Whether a part of it was there from an earlier download.
    public let isResumed: Bool

    /// All attempts, the successful one last.
    public let attempts: [AttemptRecord]

    /// Where the time of the last attempt went. Its total goes on until the whole body was in the file; all are `nil` where
    /// the file was whole before.
    public let timings: TransferTimings

    /// The file's SHA-256, 64 lower-case hexadecimal digits, where ``DownloadOptions/sha256`` asked for it.
    public let sha256: String?
}
