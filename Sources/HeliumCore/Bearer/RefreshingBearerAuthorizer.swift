internal import HTTPTypes

/// Sends a bearer token (RFC 6750) and replaces it before it expires, or when a server refuses it.
///
/// Whatever the concurrency there is one refresh at a time: all calls that need it wait for the same one, each within its
/// own time, and share its outcome. A call is sent again at most once because of it.
///
/// ```swift
/// let authorizer = try RefreshingBearerAuthorizer(initial: stored) { request in
///     try await signIn.renew(request.current?.refreshToken)
/// }
/// ```
public final class RefreshingBearerAuthorizer: Authorizer {
    /// Gets a new credential: a request to the authorization server, as a rule.
    ///
    /// ``BearerRefreshFailure`` says that asking again is useless. Any other error is passing: the next refresh waits up to
    /// half a second, doubling up to 30 seconds, all of it left to chance. It is cancelled when its time limit runs out, when
    /// ``update(_:)`` brings a credential meanwhile, and by ``close()``.
    public typealias Refresh = @Sendable (BearerRefreshRequest) async throws -> BearerCredential

    private let refresher: BearerRefresher

    /// An authorizer.
    ///
    /// - Parameters:
    ///   - initial: The credential to begin with. Default: none, so the first request waits for a refresh.
    ///   - refreshBefore: How long before its expiry a credential is replaced in the background; at the earliest after half
    ///     its time. Default: 60 s.
    ///   - timeout: The time limit of one refresh. Default: 30 s.
    ///   - clock: The clock. Default: that of the first client that uses the authorizer, before that the machine's.
    ///   - random: Random numbers, for the jitter of pauses. Default: as for the clock.
    ///   - refresh: Gets a new credential; `nil` leaves that to ``update(_:)``.
    /// - Throws: ``FailureKind/invalidConfiguration`` if the token can't stand in a field.
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

    /// Takes over a credential from outside, after a sign-in for example: a refresh under way is ended, who waits for it
    /// goes on with this one, and a failure for good is forgotten.
    ///
    /// - Throws: ``FailureKind/invalidConfiguration`` if the token can't stand in a field; then nothing changes.
    public func update(_ credential: BearerCredential) throws(HeliumError) {
        try Self.check(credential)
        refresher.update(credential)
    }

    /// Uses the client's clock and random numbers, unless others were given when the authorizer was made. Of several clients
    /// the first counts.
    public func adopt(clock: any HeliumClock, random: RandomSource) { refresher.adopt(clock: clock, random: random) }

    /// Ends a refresh under way; calls that need one fail with ``FailureKind/clientClosed`` from now on. Dropping the
    /// authorizer does the same.
    public func close() { refresher.close() }

    private static func check(_ credential: BearerCredential) throws(HeliumError) {
        guard BearerState.canStandInField(credential.token) else {
            throw HeliumError(configuration: "the bearer token is empty or not printable ASCII")
        }
    }
}

// MARK: Authorizing

extension RefreshingBearerAuthorizer {
    /// Adds the field, if there is a good credential.
    public func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool {
        guard let field = refresher.readyField else { return false }
        request.fields.set(field)
        return true
    }

    /// Adds the field, waiting for a refresh if it takes one.
    ///
    /// - Throws: ``FailureKind/authorizationFailed`` if there is no credential to be had.
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
                    return request.fields.set(try await flight.value)
                } catch is BearerRefresher.Superseded {
                    continue
                }
            }
        }
    }

    /// A 401 that blames the token gives the call one more attempt, with another one.
    public func review(_ answer: AuthorizedAnswer, context: AuthorizationContext) async throws -> AuthorizationReview {
        guard answer.head.status == 401, !context.retryReasons.contains(.credentialReplaced),
            let value = answer.request.fields[.authorization], BearerChallenge.blamesToken(answer.head)
        else { return .accept }
        return refresher.reject(value) == .retry ? .retry(.credentialReplaced) : .accept
    }

    /// The tokens in use, and those before.
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
