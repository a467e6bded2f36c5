internal import Foundation
internal import HeliumCore
internal import HeliumJSON

extension AppNetError {
    /// The failure of a call.
    ///
    /// - Parameters:
    ///   - call: Which call it was, for the scopes that it needs.
    ///   - told: What the answer says of the failure, where it was read already. Default: what is in its body.
    init(_ error: HeliumError, call: CallSpecification?, secrets: [String], told: AnswerFault? = nil) {
        let fault = told ?? AnswerFault(error.body ?? Data())
        // Of an answer whose status tells of no failure, what it says counts.
        let status = told?.code ?? error.status ?? 0
        let redactor = Redactor(secrets: secrets)
        let missing = Self.missingScopes(error, status, call)
        self.init(
            Self.kind(of: error, status, fault, missing),
            Self.message(of: error, call),
            serverMessage: fault.message.map { redactor.redact($0, upTo: ServerError.maximumBytes) },
            slug: fault.slug.map { Slug(rawValue: redactor.redact($0, upTo: ServerError.maximumBytes)) },
            errorID: fault.id.map { redactor.redact($0, upTo: ServerError.maximumBytes) },
            missingScopes: missing,
            rateLimit: error.head.flatMap { RateLimit($0, retryIn: fault.retryIn) },
            refusal: fault.oauth?.redacted(by: redactor),
            underlying: error.masked(by: redactor)
        )
    }

    private static func message(of error: HeliumError, _ call: CallSpecification?) -> String {
        // The type that was wanted is ours alone.
        guard error.kind == .decodingFailed, let call else { return error.message }
        return "the answer to \(call.name) can't be read"
    }

    private static func kind(
        of error: HeliumError,
        _ status: Int,
        _ fault: AnswerFault,
        _ missing: [AuthScope]
    ) -> Kind {
        switch error.kind {
        case .invalidConfiguration: return .invalidConfiguration
        case .invalidRequest: return .invalidRequest
        case .encodingFailed: return .unencodable
        case .decodingFailed, .emptyResponse: return .undecodable
        case .timedOut: return .timedOut
        case .hostNotFound: return .hostNotFound
        case .unacceptableStatus: break
        default: return .failed
        }
        if fault.oauth != nil { return .signInRefused }
        switch fault.slug.flatMap({ $0.isSlowToCompare ? nil : Slug(rawValue: $0) }) {
        case .invalidToken: return .invalidToken
        case .notAuthorized: return .tokenRevoked
        case .tokenExpired: return .tokenExpired
        case .codeUsed, .redirectURIRequired: return .signInRefused
        default: return kind(ofStatus: status, missing)
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
    private static func missingScopes(
        _ error: HeliumError,
        _ status: Int,
        _ call: CallSpecification?
    ) -> [AuthScope] {
        guard status == 403, let call, !call.scopes.isEmpty,
            let granted = error.head?[.oauthScopes].map(AuthScope.list)
        else { return [] }
        // A user token has one at least: without any it is an app's, and of the wrong kind.
        if granted.isEmpty { return [] }
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
