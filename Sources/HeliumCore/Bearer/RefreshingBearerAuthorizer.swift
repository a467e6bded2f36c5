internal import HTTPTypes

/// Sends a bearer token (RFC 6750) and replaces it before it expires or when a server rejects it.
///
/// At most one refresh runs at a time, whatever the concurrency. All calls that need it wait for the same refresh, each
/// within its own time limit, and share its outcome. A call is sent again at most once because of a refresh.
///
/// ```swift
/// let authorizer = try RefreshingBearerAuthorizer(initial: stored) { request in
///     try await signIn.renew(request.current?.refreshToken)
/// }
/// ```
public final class RefreshingBearerAuthorizer: Authorizer {
    /// Obtains a new credential, usually with a request to the authorization server.
    ///
    /// Throw ``BearerRefreshFailure`` if trying again is useless. Any other error is temporary: the next refresh waits
    /// up to half a second, a maximum that doubles with each failure up to 30 seconds. The delay is a random fraction
    /// of the maximum. If the error is a ``HeliumError`` whose response requests a delay (`Retry-After`), the next
    /// refresh waits at least that long, but at most an hour. The closure is cancelled when its time limit expires, when
    /// ``update(_:)`` sets a credential in the meantime, by ``close()``, and when the last client has closed.
    public typealias Refresh = @Sendable (BearerRefreshRequest) async throws -> BearerCredential

    private let refresher: BearerRefresher

    /// Creates an authorizer.
    ///
    /// - Parameters:
    ///   - initial: The first credential. Default: none, so the first request waits for a refresh.
    ///   - refreshBefore: The time before its expiry at which a credential is replaced in the background, but not
    ///     before half its lifetime has passed. Default: 60 s.
    ///   - timeout: The time limit of one refresh. Default: 30 s.
    ///   - clock: The clock. Default: that of the first client that uses the authorizer, and the machine's before that.
    ///   - random: The source of random numbers for the jitter of delays. Default: as for the clock.
    ///   - refresh: Obtains a new credential; `nil` if credentials come only from ``update(_:)``.
    /// - Throws: ``FailureKind/invalidConfiguration`` if the token is not allowed in a header field.
    public init(
        initial: BearerCredential? = nil,
        refreshBefore: Duration = .seconds(60),
        timeout: Duration = .seconds(30),
        clock: (any HeliumClock)? = nil,
        random: RandomSource? = nil,
        refresh: Refresh?
    ) throws(HeliumError) {
        var state = BearerState(refreshBefore: refreshBefore, canRefresh: refresh != nil)
        if let initial {
            try Self.check(initial)
            let clock = clock ?? SystemClock()
            state.update(initial, wallTime: clock.wallTime, uptime: clock.uptime)
        }
        refresher = BearerRefresher(state, timeout: timeout, clock: clock, random: random, refresh: refresh)
    }

    deinit { refresher.close() }

    /// The credential in use; `nil` before the first.
    public var credential: BearerCredential? { refresher.credential }

    /// Sets a credential from outside, for example after a sign-in. A refresh in progress is ended, the calls waiting
    /// for it continue with the new credential, and a permanent failure is cleared.
    ///
    /// - Throws: ``FailureKind/invalidConfiguration`` if the token is not allowed in a header field. Then nothing
    ///   changes.
    public func update(_ credential: BearerCredential) throws(HeliumError) {
        try Self.check(credential)
        refresher.update(credential)
    }

    /// Uses the client's clock and random numbers, unless others were given when the authorizer was created. If several
    /// clients share the authorizer, those of the first one are used.
    public func adopt(clock: any HeliumClock, random: RandomSource) { refresher.adopt(clock: clock, random: random) }

    /// Ends a refresh in progress. Calls that need a refresh fail with ``FailureKind/clientClosed`` from now on, those
    /// of every client that shares the authorizer. Releasing the authorizer has the same effect.
    public func close() { refresher.close() }

    /// Ends a refresh in progress if no other client uses the authorizer. Calls that need a refresh then fail with
    /// ``FailureKind/clientClosed`` until another client is created with the authorizer.
    public func clientDidClose() { refresher.clientDidClose() }

    private static func check(_ credential: BearerCredential) throws(HeliumError) {
        guard BearerState.canStandInField(credential.token) else {
            throw HeliumError(configuration: "the bearer token is empty or not printable ASCII")
        }
    }
}

// MARK: Authorizing

extension RefreshingBearerAuthorizer {
    /// Adds the field if there is a valid credential. Returns whether it did.
    public func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool {
        guard let field = refresher.readyField else { return false }
        request.fields.set(field)
        return true
    }

    /// Adds the field, after waiting for a refresh if one is needed.
    ///
    /// - Throws: ``FailureKind/authorizationFailed`` if no credential can be obtained.
    public func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {
        while true {
            try Task.checkCancellation()
            switch refresher.next(within: context.deadline) {
            case .ready(let field):
                return request.fields.set(field)
            case .fail(let error):
                throw error
            case .wait(let flight):
                do {
                    return request.fields.set(try await flight.value())
                } catch is BearerRefresher.Superseded {
                    continue
                }
            }
        }
    }

    /// Gives a call one more attempt with another token after a 401 that is caused by the token.
    public func review(_ answer: AuthorizedResponse, context: AuthorizationContext) async throws -> AuthorizationReview
    {
        guard answer.head.status == 401, !context.retryReasons.contains(.credentialReplaced),
            let value = answer.request.fields[.authorization], BearerChallenge.blamesToken(answer.head)
        else { return .accept }
        return refresher.reject(value) == .retry ? .retry(.credentialReplaced) : .accept
    }

    /// The current tokens and the most recent earlier ones.
    public var secrets: [String] { refresher.secrets }
}

extension RefreshingBearerAuthorizer: CustomStringConvertible, CustomReflectable {
    /// The credential's version and expiry.
    public var description: String {
        "RefreshingBearerAuthorizer(\(credential.map(\.description) ?? "no credential"))"
    }
    /// The credential's version and expiry.
    public var customMirror: Mirror { Mirror(self, children: ["credential": credential?.description as Any]) }
}
