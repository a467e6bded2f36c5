internal import Foundation
internal import HeliumCore

extension AppNetError {
    /// The failure of a call.
    ///
    /// - Parameter call: Which call it was, for the scopes that it needs.
    init(_ error: HeliumError, call: CallSpecification?, secrets: [String]) {
        let fault = AnswerFault(error.body ?? Data())
        let redactor = Redactor(secrets: secrets)
        let missing = Self.missingScopes(error, call)
        self.init(
            Self.kind(of: error, fault, missing),
            error.message,
            serverMessage: fault.message.map { redactor.redact($0) },
            slug: fault.slug.map { Slug(rawValue: redactor.redact($0)) },
            errorID: fault.id.map { redactor.redact($0) },
            missingScopes: missing,
            rateLimit: error.head.flatMap { RateLimit($0, retryIn: fault.retryIn) },
            refusal: fault.oauth?.redacted(by: redactor),
            underlying: error.masked(by: redactor)
        )
    }

    private static func kind(of error: HeliumError, _ fault: AnswerFault, _ missing: [AuthScope]) -> Kind {
        switch error.kind {
        case .invalidConfiguration: return .invalidConfiguration
        case .invalidRequest: return .invalidRequest
        case .encodingFailed: return .unencodable
        case .decodingFailed, .emptyResponse: return .undecodable
        case .timedOut: return .timedOut
        case .unacceptableStatus: break
        default: return .failed
        }
        if fault.oauth != nil { return .signInRefused }
        switch fault.slug.map(Slug.init(rawValue:)) {
        case .invalidToken: return .invalidToken
        case .notAuthorized: return .tokenRevoked
        case .tokenExpired: return .tokenExpired
        case .codeUsed, .redirectURIRequired: return .signInRefused
        default: return kind(ofStatus: error.status ?? 0, missing)
        }
    }

    private static func kind(ofStatus status: Int, _ missing: [AuthScope]) -> Kind {
        switch status {
        case 204: .incompleteFile
        case 400: .badRequest
        case 401: .unauthorized
        case 403: missing.isEmpty ? .forbidden : .missingScope
        case 404: .notFound
        case 405: .methodNotAllowed
        case 429: .rateLimited
        case 507: .quotaExceeded
        case 500...: .serverFailed
        default: .failed
        }
    }

    /// The scopes of a refused call, where the answer says which the token has and they are none of these (§1.2).
    private static func missingScopes(_ error: HeliumError, _ call: CallSpecification?) -> [AuthScope] {
        guard error.status == 403, let call, !call.scopes.isEmpty,
            let granted = error.head?[.oauthScopes].map(AuthScope.list)
        else { return [] }
        return granted.contains { call.scopes.contains($0.general) } ? [] : call.scopes
    }
}

extension HeliumError {
    /// The same with the call's own secrets masked in what the server said: it may echo what it was sent.
    fileprivate func masked(by redactor: Redactor) -> HeliumError {
        var error = self
        error[fact: \.bodyExcerpt] = bodyExcerpt.map { redactor.redact($0) }
        error[fact: \.serverErrors] = serverErrors.map { $0.redacted(by: redactor) }
        error[fact: \.errorBody] = error[fact: \.errorBody]?.redacted(by: redactor)
        return error
    }
}
