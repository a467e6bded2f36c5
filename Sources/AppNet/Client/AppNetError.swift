public import Foundation
public import HeliumCore

/// Why a call of App.net or pnut.io failed.
///
/// ```swift
/// do {
///     _ = try await client.messages.create(draft, in: channel)
/// } catch let error as AppNetError where error.kind == .missingScope {
///     print(error.missingScopes)
/// }
/// ```
///
/// Neither the description nor the reflection shows a token or another secret.
public struct AppNetError: Error, Sendable {
    /// What went wrong: stable, fit for `switch` and for a metric's label.
    public let kind: Kind

    /// One sentence for people.
    public let message: String

    /// What the service said (`error_message`, §1.5); `nil` if it said nothing.
    public let serverMessage: String?

    /// The service's own name of a well-known cause (`error_slug`); `nil` if it gave none.
    public let slug: Slug?

    /// What to tell the service's support (`error_id`).
    public let errorID: String?

    /// Of these scopes the token needs one and has none; empty for any other failure.
    public let missingScopes: [AuthScope]

    /// The rate limit that the answer told of; of a 429 how long to wait.
    public let rateLimit: RateLimit?

    /// With ``Kind/invalidRequest``: the rule of the service's that what was to be sent breaks, where it is one of
    /// those.
    public let violation: RuleViolation?

    /// With ``Kind/signInRefused``: what the service said of the sign-in.
    public let refusal: OAuthRefusal?

    /// The failed call: request, status, attempts, raw body; `nil` if no single call failed.
    public let underlying: HeliumError?

    /// The delivery state of the requests, for failures whose ``underlying`` error does not have one.
    private let ownDelivery: DeliveryState

    init(
        _ kind: Kind,
        _ message: String,
        serverMessage: String? = nil,
        slug: Slug? = nil,
        errorID: String? = nil,
        missingScopes: [AuthScope] = [],
        rateLimit: RateLimit? = nil,
        violation: RuleViolation? = nil,
        refusal: OAuthRefusal? = nil,
        delivery: DeliveryState = .notSent,
        underlying: HeliumError? = nil
    ) {
        self.kind = kind
        self.message = message
        self.serverMessage = serverMessage
        self.slug = slug
        self.errorID = errorID
        self.missingScopes = missingScopes
        self.rateLimit = rateLimit
        self.violation = violation
        self.refusal = refusal
        self.underlying = underlying
        ownDelivery = delivery
    }

    /// The service would refuse it.
    init(_ violation: RuleViolation) {
        self.init(.invalidRequest, violation.description, violation: violation)
    }

    /// The status of the answer, if there was one.
    public var status: Int? { underlying?.status }

    /// How far the request got: whether sending it again can do harm.
    public var delivery: DeliveryState { underlying?.delivery ?? ownDelivery }

    /// Whether the service may have got the request.
    public var hasReachedServer: Bool { delivery != .notSent }

    /// The answer's body as it came: for programs, not for logs.
    public var body: Data? { underlying?.body }

    /// Whether the user has to sign in anew: the token is unknown, revoked or has expired.
    public var needsSignIn: Bool { [.invalidToken, .tokenRevoked, .tokenExpired].contains(kind) }

    /// Whether another attempt may help, although nothing has changed on this side.
    var isTransient: Bool {
        [.rateLimited, .serverFailed, .timedOut].contains(kind) || underlying?.isTransient ?? false
    }
}

extension AppNetError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError, CustomReflectable {
    /// `notFound: Not Found: … [GET https://…, status 404]`.
    public var description: String { PeerText.escaped(unescapedDescription) }

    private var unescapedDescription: String {
        var text = "\(kind): \(PeerText.shortened(serverMessage ?? message, to: 1024))"
        if let slug { text += " (\(slug))" }
        if let refusal { text += " (\(refusal))" }
        if !missingScopes.isEmpty { text += " (scopes: \(missingScopes.map(\.rawValue).joined(separator: " or ")))" }
        if let decoding = underlying?.decoding { text += " \(decoding.place)" }
        if let underlying { text += " [\(underlying.request)\(underlying.status.map { ", status \($0)" } ?? "")]" }
        return text
    }

    /// The description.
    public var debugDescription: String { description }

    /// The description.
    public var errorDescription: String? { description }

    /// Only what the description shows.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "kind": kind, "message": message, "serverMessage": serverMessage as Any, "status": status as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
