public import HeliumCore

/// The options of a download.
public struct DownloadOptions: Sendable {
    /// The policy for resuming an interrupted download.
    public struct Resumption: Hashable, Sendable {
        enum Choice { case never, ifPossible }

        let choice: Choice

        /// Deletes the partial file of a failed download. The default.
        public static let never = Self(choice: .never)

        /// Keeps the partial file of a failed download beside the target, if the server sent a validator that can show
        /// whether the resource has changed. The next download to the same target continues from there.
        public static let ifPossible = Self(choice: .ifPossible)
    }

    /// The policy for resuming an interrupted download. Default: ``Resumption/never``.
    public var resume = Resumption.never

    /// The SHA-256 that the complete file must have, as 64 hexadecimal digits. A file with another hash fails with
    /// `integrityFailed` and is deleted. Default: `nil`, no check.
    public var sha256: String?

    /// The default of ``maximumBytes``: 16 GiB.
    package static let defaultMaximumBytes: Int64 = 16 << 30

    /// The maximum size of the file in bytes. A larger file fails with `ceilingExceeded` and ceiling `bodyBytes`,
    /// before anything is written if the server announces the size. With `nil`, there is no limit, so a server can fill
    /// the disk. Default: 16 GiB.
    public var maximumBytes: Int64? = DownloadOptions.defaultMaximumBytes

    /// Receives the progress of the file: at its beginning, at most every 100 milliseconds, and at its end. Called from
    /// one task at a time, never on the transport's thread. A slow handler delays the download. Default: `nil`.
    public var progress: (@Sendable (TransferProgress) -> Void)?

    /// Receives the path of the partial file beside the target before the file is created. Not called for a download
    /// that may be resumed, because its partial file is kept. Default: `nil`.
    package var temporaryFile: (@Sendable (_ path: String) -> Void)?

    /// Creates the default options.
    public init() {}
}
