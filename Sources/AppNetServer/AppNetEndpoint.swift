internal import GRDB
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// Processes requests in App.net's and pnut's format: faults, route, token, rate limit, transaction and events.
struct AppNetEndpoint: Sendable {
    let state: AppNetState
    private let routes = AppNetRoutes()

    init(state: AppNetState) { self.state = state }

    func reply(to request: AppNetRequest) async -> AppNetReply {
        do {
            if let failure = Self.replacement(for: request.faults) { throw failure }
            let match = try match(request)
            let isContent = match.route.takesBytes && !request.body.isMultipart
            if !isContent, let fault = request.body.textFault { throw AppNetFailure.unusable(fault) }
            let token = try await authenticated(request)
            do {
                return try await reply(to: request, match, token)
            } catch let failure as AppNetFailure {
                return refusal(failure, of: token)
            }
        } catch let failure as AppNetFailure {
            return await refusal(failure, to: request)
        } catch {
            state.logger.error("An App.net request failed", metadata: ["error": "\(StoreFault.text(of: error))"])
            return await refusal(.unexpected(error), to: request)
        }
    }

    /// Returns the token of a request's head; `nil` if it does not contain one. The body may still contain one.
    ///
    /// - Throws: ``AppNetFailure`` if the head alone shows that the request fails, because of a text, the path, the
    ///   method, the token or its scopes.
    func judgedToken(of request: AppNetRequest) async throws -> AppNetToken? {
        let match = try match(request)
        guard let token = try await authenticated(request) else { return nil }
        try Self.authorize(token, match.route)
        return token
    }

    /// Returns the route of a request; `nil` if there is none.
    ///
    /// - Parameter request: A request in the format of its dialect.
    func route(of request: AppNetRequest) -> AppNetRoute? {
        guard let routed = try? request.dialect.routed(request) else { return nil }
        return try? routes.match(routed).route
    }

    private func match(_ request: AppNetRequest) throws -> RouteTable<AppNetRoute>.Match {
        let fault = request.parameters.fault ?? request.segments.firstValue(of: \.textFault)
        if let fault { throw AppNetFailure.unusable(fault) }
        return try routes.match(request)
    }

    /// Returns the response to a request whose token was not checked yet. Error responses also contain the scopes of
    /// the token (Docs/Protocols/AppNet.md §1.2).
    func refusal(_ failure: AppNetFailure, to request: AppNetRequest) async -> AppNetReply {
        refusal(failure, of: try? await authenticated(request))
    }

    func refusal(_ failure: AppNetFailure, of token: AppNetToken?) -> AppNetReply {
        var reply = AppNetReply.refusal(failure, errorID: state.newErrorID())
        reply.fields = scopes(of: token)
        reply.hasToken = token != nil
        return reply
    }

    private func reply(
        to request: AppNetRequest,
        _ match: RouteTable<AppNetRoute>.Match,
        _ token: AppNetToken?
    ) async throws -> AppNetReply {
        let route = match.route
        let rateStatus = try checkRate(request, token, route)
        try Self.authorize(token, route)
        let answer = try await answer(request, match, token)
        var reply = AppNetReply(answer: answer, fields: scopes(of: token), hasToken: token != nil)
        if route.tellsLimits {
            reply.fields[.rateLimit] = String(rateStatus.limit)
            reply.fields[.rateRemaining] = String(rateStatus.remaining)
            reply.fields[.rateReset] = String(rateStatus.reset)
        }
        return reply
    }

    private func answer(
        _ request: AppNetRequest,
        _ match: RouteTable<AppNetRoute>.Match,
        _ token: AppNetToken?
    ) async throws -> AppNetResponse {
        let state = state
        let handler = try match.route.prepare(request)
        // A subscription to a stream must be made between two writes, so it runs as a write.
        let subscribes =
            request.method == .get && request.parameters["connection_id"] != nil
            && UserStreamEndpoint.isOffered(by: match.route)
        let writes = match.route.writes || subscribes
        let body: @Sendable (Database) throws -> (AppNetResponse, AppNetEffects) = { database in
            let context = AppNetContext(
                request: request,
                path: match.values,
                caller: AppNetCaller(token: token),
                // The time of a write is the start of its transaction, so that dates follow the order of the writes.
                now: state.now(request.faults),
                state: state,
                database: database
            )
            var answer = try handler(context)
            if !match.route.writes { try answer.checkSize() }
            if subscribes { try state.events.subscribe(context, route: match.route, answer: &answer) }
            return (answer, context.effects)
        }
        guard writes else { return try await state.store.read(body).0 }
        return try await state.store.write(body) { done, database in
            state.events.publish(done.1, state: state, database: database)
        }.0
    }

    /// Returns the token of a request; `nil` if none was sent.
    func authenticated(_ request: AppNetRequest) async throws -> AppNetToken? {
        // The other areas have their own authentication.
        let hasToken = [.api, .pnut, .live].contains(request.area)
        guard hasToken, let secret = request.token else { return nil }
        return try await token(secret)
    }

    /// Returns a valid token.
    ///
    /// - Throws: ``AppNetFailure`` if the token is unknown, revoked or expired.
    func token(_ secret: String) async throws -> AppNetToken {
        let found = try await state.store.read { try AppNetTokenTable(database: $0).token(secret) }
        let token = try require(found, or: .invalidToken)
        switch token.state {
        case .active: return token
        case .revoked: throw AppNetFailure.revokedToken
        case .expired: throw AppNetFailure.expiredToken
        }
    }

    private static func authorize(_ token: AppNetToken?, _ route: AppNetRoute) throws(AppNetFailure) {
        switch (route.access, token) {
        case (.none, _), (.varies, nil): break
        case (.user, nil), (.app, nil), (.any, nil): throw .noToken
        case (.user, .some(let token)) where token.user == nil: throw .forbidden("This call requires a user token.")
        case (.app, .some(let token)) where token.user != nil: throw .forbidden("This call requires an app token.")
        default: break
        }
        guard let token, token.user != nil, !route.scopes.isEmpty else { return }
        guard !route.scopes.isDisjoint(with: token.scopes) else {
            throw .forbidden("This call requires one of the scopes: \(route.scopes.list.replacing(",", with: ", ")).")
        }
    }

    /// Counts the request against its caller's limits and returns the most restrictive state (Docs/Protocols/AppNet.md
    /// §1.7).
    private func checkRate(
        _ request: AppNetRequest,
        _ token: AppNetToken?,
        _ route: AppNetRoute
    ) throws(AppNetFailure) -> RateLimiter.Status {
        let limits = state.configuration.rateLimits
        let counted: [(String, AppNetRateLimits.Limit)]
        if let token {
            let calls = ("calls \(token.id)", limits.calls)
            counted = route.countsAsWrite ? [calls, ("writes \(token.id)", limits.writes)] : [calls]
        } else {
            counted = [("address \(request.address)", limits.anonymous)]
        }
        if state.values.withLock({ $0.isExhausted }) { throw .rateLimited(retryAfter: 1) }
        let now = state.now(request.faults)
        let standings = counted.map { name, limit in
            limits.isEnforced && route.isLimited
                ? state.limiter.count(name, limit: limit, now: now * 1000) : RateLimiter.Status(unused: limit)
        }
        if let exceeded = standings.filter(\.isExceeded).max(by: { $0.reset < $1.reset }) {
            throw .rateLimited(retryAfter: exceeded.reset)
        }
        return try require(standings.min { $0.remaining < $1.remaining }, or: .notFound)
    }

    private func scopes(of token: AppNetToken?) -> HTTPFields {
        guard let token else { return [:] }
        return [.oauthScopes: token.user == nil ? "" : token.scopes.list]
    }

    /// Returns the failure of faults that replace the API's own response.
    private static func replacement(for faults: ActiveFaults) -> AppNetFailure? {
        if let failure = AppNetFailure(injectedBy: faults) { return failure }
        if faults.contains(.busy) {
            return AppNetFailure(.serviceUnavailable, "Service Unavailable: I'm busy right now, sorry.")
        }
        if faults.contains(.payloadTooLarge) { return .tooLong }
        if faults.contains(.keyExpired) { return .expiredToken }
        return nil
    }
}
