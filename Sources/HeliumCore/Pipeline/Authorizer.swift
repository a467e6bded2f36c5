public import HeliumEssentials

/// Adds the caller's credentials to a request: a signature, a token, or a key.
///
/// An authorizer is the last step before an attempt is sent, so it sees each attempt exactly as it will be sent. It
/// runs again for every attempt, and what it adds is never reused. To write a custom authorizer, implement
/// ``authorize(_:context:)``.
public protocol Authorizer: Sendable {
    /// Authorizes a request without waiting: the fast path of every request.
    ///
    /// - Returns: `false` if ``authorize(_:context:)`` must be called instead, which is the default.
    func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool

    /// Authorizes a request and may wait, for example for a refresh. The call's deadline ends the wait, whatever this
    /// method does.
    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws

    /// Returns whether a response must be passed to ``review(_:context:)``. Called for every response, so it must be
    /// quick. By default, this is the case for status 401.
    func needsReview(of head: ResponseHead, to request: TransportRequest) -> Bool

    /// Receives the head of every response to a request that the authorizer authorized, before
    /// ``needsReview(of:to:)``. It must be quick. The default does nothing.
    func didReceive(_ head: ResponseHead, for request: TransportRequest)

    /// Reviews a response. A rejected credential may be replaced here.
    ///
    /// - Returns: `.accept` to return the response to the caller (the default), or `.retry` for another attempt with a
    ///   new authorization.
    func review(_ answer: AuthorizedResponse, context: AuthorizationContext) async throws -> AuthorizationReview

    /// Receives the clock and random numbers of a client that will use the authorizer, once, before the client's first
    /// request. The default ignores both. An authorizer that wraps another one passes the call on.
    func adopt(clock: any HeliumClock, random: RandomSource)

    /// Ends the authorizer's work in progress, such as a refresh, and what needs such work later. The default does
    /// nothing.
    func close()

    /// Receives the end of a client that was passed to ``adopt(clock:random:)``, once. The default calls ``close()``.
    ///
    /// An authorizer that several clients can share ends its work only with the last of them. An authorizer that wraps
    /// another one passes the call on.
    func clientDidClose()

    /// The secrets and tokens that must not appear in errors. They are masked in excerpts of server responses.
    var secrets: [String] { get }
}

extension Authorizer {
    /// Returns `false`, so that ``authorize(_:context:)`` is always called.
    public func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool { false }

    /// Returns whether the status is 401.
    public func needsReview(of head: ResponseHead, to request: TransportRequest) -> Bool { head.status == 401 }

    /// Does nothing.
    public func didReceive(_ head: ResponseHead, for request: TransportRequest) {}

    /// Accepts every response.
    public func review(_ answer: AuthorizedResponse, context: AuthorizationContext) async throws -> AuthorizationReview
    {
        .accept
    }

    /// Does nothing.
    public func adopt(clock: any HeliumClock, random: RandomSource) {}

    /// Does nothing.
    public func close() {}

    /// Calls ``close()``.
    public func clientDidClose() { close() }

    /// No secrets.
    public var secrets: [String] { [] }
}

/// The state of the call that an authorizer works for.
public struct AuthorizationContext: Sendable {
    /// The attempt's number, from 1.
    public let attempt: Int

    /// The reasons for earlier attempts: each one that an authorizer has given so far in this call.
    public let retryReasons: [RetryReason]

    /// The deadline of the call.
    public let deadline: Deadline

    /// Creates a context, for tests of authorizers.
    public init(attempt: Int = 1, retryReasons: [RetryReason] = [], deadline: Deadline) {
        self.attempt = attempt
        self.retryReasons = retryReasons
        self.deadline = deadline
    }
}

/// A response together with its request.
public struct AuthorizedResponse: Sendable {
    /// The request as it was sent, including credentials.
    public let request: TransportRequest

    /// The status and the header fields.
    public let head: ResponseHead

    /// The body: complete, or its beginning if it is longer than the limit for failures.
    public let body: Data

    /// Creates a value, for tests of authorizers.
    public init(request: TransportRequest, head: ResponseHead, body: Data) {
        self.request = request
        self.head = head
        self.body = body
    }
}

/// The decision of an authorizer about a response.
public enum AuthorizationReview: Hashable, Sendable {
    /// The response is returned to the caller.
    case accept
    /// Another attempt with a new authorization may succeed, for this reason.
    case retry(RetryReason)
}
