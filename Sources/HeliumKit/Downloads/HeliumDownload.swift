public import HeliumCore

/// A downloaded file. It is complete, at its target and written to the disk.
public struct HeliumDownload: Sendable {
    /// The status and fields of the response with the file, or with its last part.
    public let head: ResponseHead

    /// The size of the file in bytes.
    public let bytes: Int64

    /// Whether the download continued an earlier one.
    public let isResumed: Bool

    /// All attempts, the successful one last.
    public let attempts: [AttemptRecord]

    /// The timings of the last attempt. Its total lasts until the whole body was in the file. All are `nil` if the file
    /// was already complete.
    public let timings: TransferTimings

    /// The file's SHA-256, as 64 lower-case hexadecimal digits; `nil` unless ``DownloadOptions/sha256`` is set.
    public let sha256: String?
}
