public import Foundation
public import HeliumCore

/// The error of a failed call of App.net or pnut.io.
///
/// ```swift
/// do {
///     _ = try await client.messages.create(draft, in: channel)
/// } catch let error as AppNetError where error.kind == .missingScope {
///     print(error.missingScopes)
/// }
/// ```
///
/// The description and the reflection contain no token or other secret.
public struct AppNetError: Error, Sendable {
    /// The kind of failure. It is stable, so it can be used in a `switch` and as a metric label.
    public let kind: Kind

    /// A one-sentence description.
    public let message: String

    /// The service's error message (`error_message`, Docs/Protocols/AppNet.md §1.5); `nil` if the response has none.
    public let serverMessage: String?

    /// The service's name for a well-known cause (`error_slug`); `nil` if the response has none.
    public let slug: Slug?

    /// The error's identifier for the service's support (`error_id`).
    public let errorID: String?

    /// The scopes of which the token needs at least one and has none. Empty for any other failure.
    public let missingScopes: [AuthScope]

    /// The rate limit in the response. For a 429, it has the delay before the next call.
    public let rateLimit: RateLimit?

    /// The broken rule of the service, for an error of kind ``Kind/invalidRequest`` that is caused by one.
    public let violation: RuleViolation?

    /// The service's reason for refusing the sign-in, for an error of kind ``Kind/signInRefused``.
    public let refusal: OAuthRefusal?

    /// The failed call with its request, status, attempts and raw body; `nil` if no single call failed.
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

    /// Creates the error of a request that breaks a rule of the service.
    init(_ violation: RuleViolation) {
        self.init(.invalidRequest, violation.description, violation: violation)
    }

    /// The status of the response; `nil` if there was no response.
    public var status: Int? { underlying?.status }

    /// The delivery state of the request, which shows whether sending it again can do harm.
    public var delivery: DeliveryState { underlying?.delivery ?? ownDelivery }

    /// Whether the service may have received the request.
    public var hasReachedServer: Bool { delivery != .notSent }

    /// The raw body of the response. Do not log it: it may contain private data.
    public var body: Data? { underlying?.body }

    /// Whether the user has to sign in again, because the token is unknown, revoked or expired.
    public var needsSignIn: Bool { [.invalidToken, .tokenRevoked, .tokenExpired].contains(kind) }

    /// Whether another attempt may succeed without any change on this side.
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

    /// A mirror with only the facts that the description shows.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "kind": kind, "message": message, "serverMessage": serverMessage as Any, "status": status as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
