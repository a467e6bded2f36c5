public import HeliumCore

/// How a download goes about its file.
public struct DownloadOptions: Sendable {
    /// Whether a download goes on where an earlier one broke off.
    public struct Resumption: Hashable, Sendable {
        enum Choice { case never, ifPossible }

        let choice: Choice

        /// A download that fails leaves nothing behind. The default.
        public static let never = Self(choice: .never)

        /// A download that fails leaves what it got beside the target, if the server gave a validator with it by which to
        /// tell whether the resource is still the same; the next one to the same target goes on from there.
        public static let ifPossible = Self(choice: .ifPossible)
    }

    /// Whether the download goes on where an earlier one broke off. Default: ``Resumption/never``.
    public var resume = Resumption.never

    /// The SHA-256 that the whole file must have, 64 hexadecimal digits. A file with another fails with kind
    /// `integrityFailed` and is removed. Default: `nil`, no check.
    public var sha256: String?

    /// The default of ``maximumBytes``: 16 GiB.
    public static let defaultMaximumBytes: Int64 = 16 << 30

    /// The most bytes that the file may have. More fail with kind `ceilingExceeded` and ceiling
    /// `bodyBytes`, before any is written where the server announces them. `nil`: no ceiling, so that a server decides how
    /// much of the disk is filled. Default: ``defaultMaximumBytes``.
    public var maximumBytes: Int64? = DownloadOptions.defaultMaximumBytes

    /// Is told how far the file has got: at its beginning, at most every 100 milliseconds, and at its end. Called from one
    /// task at a time, never on the transport's thread; what it takes longer holds up the download. Default: `nil`.
    public var progress: (@Sendable (TransferProgress) -> Void)?

    /// Is told the path of the file beside the target, which holds what has arrived, before that file is made. Not called for
    /// a download that may be resumed: its part stays. Default: `nil`.
    package var temporaryFile: (@Sendable (_ path: String) -> Void)?

    /// The defaults.
    public init() {}
}
