public import HeliumEssentials

/// Proves the caller's identity on a request: a signature, a token, a key.
///
/// An authorizer sees each attempt exactly as it will be sent, last of all, and every attempt anew: what it adds is never
/// reused. Write your own by implementing ``authorize(_:context:)``.
public protocol Authorizer: Sendable {
    /// Authorizes at once where nothing has to be waited for: the fast path of every request.
    ///
    /// - Returns: `false` if ``authorize(_:context:)`` must be called instead. The default does that.
    func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool

    /// Authorizes, waiting for what it takes. The call's deadline ends the wait whatever this method does.
    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws

    /// Whether an answer must be shown to ``review(_:context:)``. Called for every answer: must be quick.
    /// The default says so for status 401.
    func wantsReview(of head: ResponseHead, to request: TransportRequest) -> Bool

    /// Looks at an answer: a rejected credential may be replaced here.
    ///
    /// - Returns: `.accept` to let the answer stand (the default), `.retry` for another, freshly authorized attempt.
    func review(_ answer: AuthorizedAnswer, context: AuthorizationContext) async throws -> AuthorizationReview

    /// A client that will use the authorizer tells its clock and random numbers, once and before its first request. The
    /// default ignores both. An authorizer that wraps another passes it on.
    func adopt(clock: any HeliumClock, random: RandomSource)

    /// The client closes: ends what the authorizer has under way, such as a refresh. The default does nothing.
    func close()

    /// The secrets and tokens that must not appear in errors: they are masked in excerpts of what servers send.
    var secrets: [String] { get }
}

extension Authorizer {
    /// Always leaves it to ``authorize(_:context:)``.
    public func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool { false }

    /// Status 401.
    public func wantsReview(of head: ResponseHead, to request: TransportRequest) -> Bool { head.status == 401 }

    /// Lets every answer stand.
    public func review(_ answer: AuthorizedAnswer, context: AuthorizationContext) async throws -> AuthorizationReview {
        .accept
    }

    /// Does nothing.
    public func adopt(clock: any HeliumClock, random: RandomSource) {}

    /// Does nothing.
    public func close() {}

    /// None.
    public var secrets: [String] { [] }
}

/// What an authorizer knows of the call it works for.
public struct AuthorizationContext: Sendable {
    /// The attempt's number, from 1.
    public let attempt: Int

    /// Why there were attempts before: each reason an authorizer gave so far in this call.
    public let retryReasons: [RetryReason]

    /// By when the call must be over.
    public let deadline: Deadline

    /// A context: for tests of authorizers.
    public init(attempt: Int = 1, retryReasons: [RetryReason] = [], deadline: Deadline) {
        self.attempt = attempt
        self.retryReasons = retryReasons
        self.deadline = deadline
    }
}

/// An answer together with the request it answers.
public struct AuthorizedAnswer: Sendable {
    /// The request as it was sent, credentials included.
    public let request: TransportRequest

    /// Status and fields.
    public let head: ResponseHead

    /// The body: all of it, or its beginning where it is longer than the ceiling for failures.
    public let body: Data

    /// An answer: for tests of authorizers.
    public init(request: TransportRequest, head: ResponseHead, body: Data) {
        self.request = request
        self.head = head
        self.body = body
    }
}

/// What an authorizer makes of an answer.
public enum AuthorizationReview: Hashable, Sendable {
    /// The answer stands.
    case accept
    /// Another attempt with a fresh authorization may succeed, for this reason.
    case retry(RetryReason)
}
