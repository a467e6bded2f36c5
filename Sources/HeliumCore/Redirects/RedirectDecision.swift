internal import HTTPTypes

/// The decision about a response that may be a redirect. It depends only on values.
enum RedirectDecision: Sendable {
    /// The response is not a redirect, or the policy returns redirects as responses.
    case none
    /// Send this request next. If it goes to another origin, it carries no credentials.
    case follow(TransportRequest)
    /// The policy does not follow this redirect.
    case refuse(String)
    /// The maximum number of redirects of the policy was reached.
    case tooMany(limit: Int)
}

extension RedirectDecision {
    /// Whether the response is a redirect to which the policy applies.
    var isRedirect: Bool {
        if case .none = self { return false }
        return true
    }

    /// Makes the decision.
    ///
    /// - Parameters:
    ///   - request: The request that was sent, without credentials.
    ///   - home: The client's own origin, for which the authorizer has credentials.
    ///   - followed: The number of redirects that the call has followed.
    static func make(
        for head: ResponseHead,
        to request: TransportRequest,
        home: Origin,
        policy: RedirectPolicy,
        followed: Int
    ) -> RedirectDecision {
        guard policy.scope != .none, let change = change(head.status, request.method),
            let location = head[.location], !location.isEmpty
        else { return .none }
        guard followed < policy.limit else { return .tooMany(limit: policy.limit) }
        let url: RequestURL
        do throws(InvalidURL) {
            url = try request.url.resolving(RequestURL.escapingStrays(location))
        } catch {
            return .refuse("the server redirects to an invalid URL: \(error.description)")
        }
        if request.url.origin.isSecure, !url.origin.isSecure {
            return .refuse("the server redirects from https to http, \(url.origin)")
        }
        let isElsewhere = url.origin != home
        guard !isElsewhere || policy.scope == .anywhere else {
            return .refuse("the server redirects to another origin, \(url.origin)")
        }
        var next = request
        next.url = url
        switch change {
        case .get:
            next.dropBody()
            next.method = request.method == .head ? .head : .get
        case .same:
            guard request.upload?.isReplayable ?? true else {
                return .refuse("the server redirects a request whose body can't be sent again")
            }
            let hasBody = request.upload != nil || !(request.body?.isEmpty ?? true)
            guard !hasBody || url.origin == request.url.origin || policy.sendsBodiesElsewhere else {
                return .refuse("the server redirects a request with a body to another origin, \(url.origin)")
            }
        }
        if url.origin != request.url.origin { next.dropCredentials() }
        return .follow(next)
    }

    private enum Change { case get, same }

    private static func change(_ status: Int, _ method: HTTPRequest.Method) -> Change? {
        switch status {
        case 301, 302: method == .post ? .get : .same
        case 303: method == .get || method == .head ? .same : .get
        case 307, 308: .same
        default: nil
        }
    }
}

extension TransportRequest {
    fileprivate mutating func dropBody() {
        body = nil
        upload = nil
        for name in [HTTPField.Name.contentType, .contentEncoding, .contentLanguage, .contentLocation] {
            fields[fields: name] = []
        }
    }

    fileprivate mutating func dropCredentials() {
        let kept = fields.filter { !SensitiveFields.contains($0.name) }
        if kept.count < fields.count { fields = HTTPFields(kept) }
    }
}
