/// What went wrong, as a name from a fixed list that may grow: fit for `switch` and as a metric's label.
public struct FailureKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The kind's name.
    public let rawValue: String

    /// A kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind's name.
    public var description: String { rawValue }
}

// MARK: Before any I/O

extension FailureKind {
    /// The configuration can't be used: a base URL without a host, a secret of the wrong form.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// The request can't be built: a missing or unused replacement, an invalid path or header.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// The body's value could not be encoded.
    public static let encodingFailed = Self(rawValue: "encodingFailed")
    /// The caller cancelled. The async form throws `CancellationError` instead.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The client was closed before or during the call.
    public static let clientClosed = Self(rawValue: "clientClosed")
}

// MARK: Transfer

extension FailureKind {
    /// A phase's time limit, or the whole call's, ran out.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The host's name has no address.
    public static let hostNotFound = Self(rawValue: "hostNotFound")
    /// No connection: refused, unreachable, reset in the handshake.
    public static let connectionFailed = Self(rawValue: "connectionFailed")
    /// The TLS handshake failed, or the server's certificate is not trusted.
    public static let tlsFailed = Self(rawValue: "tlsFailed")
    /// The connection ended before the answer was complete.
    public static let connectionLost = Self(rawValue: "connectionLost")
    /// What arrived is no valid HTTP: a wrong length, a broken chunk, an undecodable content encoding.
    public static let malformedResponse = Self(rawValue: "malformedResponse")
    /// A ceiling was passed; ``HeliumError`` names it in its `ceiling`.
    public static let ceilingExceeded = Self(rawValue: "ceilingExceeded")
    /// The request's own body could not be read to its end: a file that is gone or shorter than announced, a stream
    /// that failed.
    public static let requestBodyFailed = Self(rawValue: "requestBodyFailed")
    /// The transport failed otherwise; the message and the underlying code tell how.
    public static let transportFailed = Self(rawValue: "transportFailed")
}

// MARK: Live connections

extension FailureKind {
    /// The peer closed with a code that means a failure; ``HeliumError/code`` is the code (RFC 6455 section 7.4).
    public static let closedByPeer = Self(rawValue: "closedByPeer")
    /// The peer broke the protocol of the connection: a reserved bit, a masked frame, text that is not UTF-8.
    public static let protocolViolated = Self(rawValue: "protocolViolated")
}

// MARK: Answers

extension FailureKind {
    /// The status is outside of the acceptable ones.
    public static let unacceptableStatus = Self(rawValue: "unacceptableStatus")
    /// The body does not decode to the type asked for.
    public static let decodingFailed = Self(rawValue: "decodingFailed")
    /// The server sends the call where it does not go: a redirect that the ``RedirectPolicy`` does not follow, or a
    /// next page (``Pages``) on another origin. Nothing was sent there.
    public static let redirectRefused = Self(rawValue: "redirectRefused")
    /// A file could not be written or moved to its place.
    public static let fileFailed = Self(rawValue: "fileFailed")
    /// What arrived is not what was announced: a checksum or a range differs.
    public static let integrityFailed = Self(rawValue: "integrityFailed")
    /// The answer is empty, and the type asked for can't be made from nothing.
    public static let emptyResponse = Self(rawValue: "emptyResponse")
}

// MARK: Others on the way

extension FailureKind {
    /// An interceptor threw an error of its own.
    public static let interceptorFailed = Self(rawValue: "interceptorFailed")
}

// MARK: Proving identity

extension FailureKind {
    /// The authorizer could not prove the caller's identity.
    public static let authorizationFailed = Self(rawValue: "authorizationFailed")
    /// The device could not be registered, or its description not updated.
    public static let registrationFailed = Self(rawValue: "registrationFailed")
    /// The token store failed.
    public static let tokenStoreFailed = Self(rawValue: "tokenStoreFailed")
    /// The server's clock differs by more than may be corrected, or the correction came over an untrusted connection.
    public static let clockCorrectionRefused = Self(rawValue: "clockCorrectionRefused")
}
