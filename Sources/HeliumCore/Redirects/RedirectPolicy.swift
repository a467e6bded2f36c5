/// The redirects that a call follows (RFC 9110 §15.4).
///
/// The client follows redirects itself and does not leave them to the transport, so every hop is checked, authorized
/// and signed separately.
///
/// - 303, and 301 and 302 after a POST, continue as a GET without a body. 307 and 308, and 301 and 302 otherwise,
///   repeat the request unchanged with its body, if the body can be sent again.
/// - Redirects from `https` to `http` and to a URL with user information are never followed.
/// - On the client's own origin, every hop is authorized again. On any other scheme, host or port, the authorizer is
///   not called. From one origin to another, fields with the name of a credential (`Authorization`, `Cookie`, …) are
///   left out for the rest of the call.
///
/// A redirect that the policy does not follow fails with ``FailureKind/redirectRefused``, and one beyond the maximum
/// with ``FailureKind/ceilingExceeded`` and ``Ceiling/redirects``. With ``never``, the status of the redirect is
/// checked like any other.
public struct RedirectPolicy: Hashable, Sendable {
    enum Scope: Hashable, Sendable { case none, sameOrigin, anywhere }

    let scope: Scope
    let limit: Int
    var sendsBodiesElsewhere = false

    /// Returns redirects as responses.
    public static let never = Self(scope: .none, limit: 0)

    /// Follows redirects on the client's own scheme, host and port. The default, with at most 10.
    public static func sameOrigin(limit: Int = 10) -> Self { Self(scope: .sameOrigin, limit: max(0, limit)) }

    /// Follows redirects to any origin.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of redirects of one call.
    ///   - sendsBodiesElsewhere: Whether a body may be sent to another origin, which 307 and 308 request. Default:
    ///     `false`.
    public static func follow(limit: Int, sendsBodiesElsewhere: Bool = false) -> Self {
        Self(scope: .anywhere, limit: max(0, limit), sendsBodiesElsewhere: sendsBodiesElsewhere)
    }
}
