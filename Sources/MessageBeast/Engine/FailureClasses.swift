public import AppNet
internal import HeliumCore

/// The consequence of a failed request (Docs/Protocols/MessageBeast.md §4.2).
public enum FailureClass: String, Sendable, Hashable {
    /// The request did not take effect. It is repeated later.
    case retry
    /// Nothing is sent until the user has signed in again.
    case waitForSignIn
    /// Files, and the messages that wait for them, are not sent until there is room on the service.
    case waitForQuota
    /// The message is parked with the reason. Others are sent.
    case park
    /// The message is parked until it is edited.
    case reject
    /// Nobody knows whether the request took effect. It is found out before anything is repeated.
    case unknown
}

/// The classes of failures, which an app may change. An unknown outcome always remains unknown.
public struct FailureClasses: Sendable, Hashable {
    /// A request that could not be made: invalid, not encodable, or unsupported by the dialect. Default: `reject`.
    public var invalid = FailureClass.reject

    /// A request that did not leave the machine. Default: `retry`.
    public var notSent = FailureClass.retry

    /// Status 429. Default: `retry`, not before the time that the service asks for.
    public var rateLimited = FailureClass.retry

    /// Status 401, a token that is not valid, or one without the scope. Default: `waitForSignIn`.
    public var unauthorized = FailureClass.waitForSignIn

    /// Status 507. Default: `waitForQuota`.
    public var quotaExceeded = FailureClass.waitForQuota

    /// Other statuses from 400 to 499, 408 and 425 excepted. Default: `park`.
    public var refused = FailureClass.park

    /// The default classes.
    public init() {}

    /// The class of an error. The first line of the table that fits decides.
    public func callAsFunction(_ error: AppNetError) -> FailureClass {
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

    /// Whether an error is a refusal in the body of a response whose status says otherwise.
    private static func isRefusal(_ kind: AppNetError.Kind) -> Bool {
        [.badRequest, .forbidden, .notFound, .methodNotAllowed].contains(kind)
    }
}
