/// The kind of a failure, as a name from a fixed list that may grow. It is suitable for `switch` and as a label of a
/// metric.
public struct FailureKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The kind's name.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind's name.
    public var description: String { rawValue }
}

// MARK: Before any I/O

extension FailureKind {
    /// The configuration is invalid, for example a base URL without a host or a secret of the wrong form.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// The request can't be built, for example because of a missing or unused replacement, or an invalid path or
    /// header.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// The body's value could not be encoded.
    public static let encodingFailed = Self(rawValue: "encodingFailed")
    /// The call was cancelled. The async form throws `CancellationError` instead.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The client was closed before or during the call.
    public static let clientClosed = Self(rawValue: "clientClosed")
}

// MARK: Transfer

extension FailureKind {
    /// The time limit of a phase or of the whole call expired.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The host's name has no address.
    public static let hostNotFound = Self(rawValue: "hostNotFound")
    /// No connection could be made: it was rejected, the host was unreachable, or it was reset in the handshake.
    public static let connectionFailed = Self(rawValue: "connectionFailed")
    /// The TLS handshake failed, or the server's certificate is not trusted.
    public static let tlsFailed = Self(rawValue: "tlsFailed")
    /// The connection ended before the response was complete.
    public static let connectionLost = Self(rawValue: "connectionLost")
    /// The response is not valid HTTP: a wrong length, an invalid chunk, or an undecodable content encoding.
    public static let malformedResponse = Self(rawValue: "malformedResponse")
    /// A limit was exceeded. The `ceiling` of ``HeliumError`` names it.
    public static let ceilingExceeded = Self(rawValue: "ceilingExceeded")
    /// The request body could not be read to its end: a file was deleted or is shorter than announced, or a stream
    /// failed.
    public static let requestBodyFailed = Self(rawValue: "requestBodyFailed")
    /// The transport failed for another reason, which the message and the underlying code describe.
    public static let transportFailed = Self(rawValue: "transportFailed")
}

// MARK: Live connections

extension FailureKind {
    /// The peer closed the connection with a code that indicates a failure. ``HeliumError/code`` is the code (RFC 6455
    /// §7.4).
    public static let closedByPeer = Self(rawValue: "closedByPeer")
    /// The peer violated the connection's protocol: a reserved bit, a masked frame, or text that is not UTF-8.
    public static let protocolViolated = Self(rawValue: "protocolViolated")
}

// MARK: Responses

extension FailureKind {
    /// The status is not one of the acceptable ones.
    public static let unacceptableStatus = Self(rawValue: "unacceptableStatus")
    /// The body could not be decoded as the requested type.
    public static let decodingFailed = Self(rawValue: "decodingFailed")
    /// The server refers the call to a URL that it may not follow: a redirect that the ``RedirectPolicy`` does not
    /// follow, or a next page (``Pages``) on another origin. No request was sent there.
    public static let redirectRefused = Self(rawValue: "redirectRefused")
    /// A file could not be written or moved to its destination.
    public static let fileFailed = Self(rawValue: "fileFailed")
    /// The received data differs from what was announced, by its checksum or its range.
    public static let integrityFailed = Self(rawValue: "integrityFailed")
    /// The response is empty, and the requested type can't be decoded from an empty body.
    public static let emptyResponse = Self(rawValue: "emptyResponse")
}

// MARK: Interceptors

extension FailureKind {
    /// An interceptor threw an error other than a Helium error.
    public static let interceptorFailed = Self(rawValue: "interceptorFailed")
}

// MARK: Authorization

extension FailureKind {
    /// The authorizer could not authorize the request.
    public static let authorizationFailed = Self(rawValue: "authorizationFailed")
    /// The device could not be registered, or its description could not be updated.
    public static let registrationFailed = Self(rawValue: "registrationFailed")
    /// The token store failed.
    public static let tokenStoreFailed = Self(rawValue: "tokenStoreFailed")
    /// The server's clock differs by more than the allowed correction, or the correction came over an untrusted
    /// connection.
    public static let clockCorrectionRefused = Self(rawValue: "clockCorrectionRefused")
}
