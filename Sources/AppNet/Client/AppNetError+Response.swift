internal import Foundation
internal import HeliumCore
internal import HeliumJSON

extension AppNetError {
    /// Creates the error of a failed call.
    ///
    /// - Parameters:
    ///   - call: The failed call, which names the scopes that it needs.
    ///   - details: The failure that the response reports, if it was already read. By default it is read from the error's
    ///     body.
    init(_ error: HeliumError, call: CallSpecification?, secrets: [String], details: ResponseErrorDetails? = nil) {
        let fault = details ?? ResponseErrorDetails(error.body ?? Data())
        // If the status of the response is a success, the code in its body counts.
        let status = details?.code ?? error.status ?? 0
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
        // The name of the expected type is an implementation detail, so the message does not contain it.
        guard error.kind == .decodingFailed, let call else { return error.message }
        return "the response to \(call.name) can't be decoded"
    }

    private static func kind(
        of error: HeliumError,
        _ status: Int,
        _ fault: ResponseErrorDetails,
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

    /// Returns the scopes of a refused call if the response lists the token's scopes and none of them suffices
    /// (Docs/Protocols/AppNet.md §1.2).
    private static func missingScopes(
        _ error: HeliumError,
        _ status: Int,
        _ call: CallSpecification?
    ) -> [AuthScope] {
        guard status == 403, let call, !call.scopes.isEmpty,
            let granted = error.head?[.oauthScopes].map(AuthScope.list)
        else { return [] }
        // A user token has at least one scope. A token without scopes is an app token, which is the wrong kind.
        if granted.isEmpty { return [] }
        return granted.contains { call.scopes.contains($0.general) } ? [] : call.scopes
    }
}

extension HeliumError {
    /// Returns the error with the call's secrets masked in the text of the server, which may echo the request.
    fileprivate func masked(by redactor: Redactor) -> HeliumError {
        var error = self
        error[fact: \.bodyExcerpt] = bodyExcerpt.map { redactor.redact($0) }
        error[fact: \.serverErrors] = serverErrors.map { $0.redacted(by: redactor) }
        error[fact: \.errorBody] = error[fact: \.errorBody]?.redacted(by: redactor)
        return error
    }
}
