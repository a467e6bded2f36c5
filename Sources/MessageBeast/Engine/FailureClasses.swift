package import AppNet
internal import HeliumCore

/// The consequence of a failed request (Docs/Protocols/MessageBeast.md §4.2).
public enum FailureClass: String, Sendable, Hashable {
    /// The request did not take effect. It is repeated later.
    case retry
    /// Nothing is sent until the user has signed in again.
    case waitForSignIn
    /// Files, and the messages that depend on them, are not sent until the service has room.
    case waitForQuota
    /// The message is parked with the reason. Other messages are sent.
    case park
    /// The message is parked until it is edited. ``MessageManager/retry(_:)`` throws. A file is parked as with
    /// ``park``, because files cannot be edited.
    case reject
    /// It is unknown whether the request took effect. The engine finds out before it repeats anything.
    case unknown
}

/// The consequences of failed requests, which an app may change. An unknown outcome always remains unknown.
public struct FailureClasses: Sendable, Hashable {
    /// The class of a request that could not be made: invalid, not encodable, or unsupported by the dialect. Default:
    /// `reject`.
    public var invalid = FailureClass.reject

    /// The class of a request that did not leave the machine. Default: `retry`.
    public var notSent = FailureClass.retry

    /// The class of status 429. Default: `retry`, not before the time that the service requests.
    public var rateLimited = FailureClass.retry

    /// The class of status 401, of an invalid token, and of a token without the required scope. Default:
    /// `waitForSignIn`.
    public var unauthorized = FailureClass.waitForSignIn

    /// The class of status 507. Default: `waitForQuota`.
    public var quotaExceeded = FailureClass.waitForQuota

    /// The class of other statuses from 400 to 499, except 408 and 425. Default: `park`.
    public var refused = FailureClass.park

    /// Creates the default classes.
    public init() {}

    /// Returns the class of an error. The first matching rule decides.
    package func callAsFunction(_ error: AppNetError) -> FailureClass {
        switch error.kind {
        case .invalidRequest, .unencodable, .unsupportedByDialect, .invalidConfiguration: return invalid
        default: break
        }
        if error.delivery == .notSent { return notSent }
        if error.needsSignIn || [.missingScope, .unauthorized].contains(error.kind) { return unauthorized }
        switch error.kind {
        case .rateLimited: return rateLimited
        case .quotaExceeded: return quotaExceeded
        default: break
        }
        switch error.status {
        case 429: return rateLimited
        case 401: return unauthorized
        case 507: return quotaExceeded
        case 408, 425: return .unknown
        case (400..<500)?: return refused
        default: return Self.isRefusal(error.kind) ? refused : .unknown
        }
    }

    /// Returns whether a kind is a refusal. Used if the status of the response does not show one, but its body does.
    private static func isRefusal(_ kind: AppNetError.Kind) -> Bool {
        [.badRequest, .forbidden, .notFound, .methodNotAllowed].contains(kind)
    }
}
