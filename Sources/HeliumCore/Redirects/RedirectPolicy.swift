/// Which redirects a call follows (RFC 9110 section 15.4).
///
/// A redirect is followed by us, never by the transport, so that every hop is checked, authorized and signed for
/// itself.
///
/// - 303, and 301 and 302 after a POST, go on as GET without a body; 307 and 308, and 301 and 302 otherwise, repeat the
///   request as it was, body included, if it can be sent again.
/// - From `https` to `http` is never followed, nor to a URL with user information.
/// - On the client's own origin every hop is authorized anew. On any other scheme, host or port nothing is: the
///   authorizer is not asked. From one origin to another, fields that are credentials by name (`Authorization`,
///   `Cookie`, …) are left out for the rest of the call.
///
/// A redirect that is not followed because of the policy fails with ``FailureKind/redirectRefused``, one too many with
/// ``FailureKind/ceilingExceeded`` and ``Ceiling/redirects``. With ``never`` the answer is judged like any other.
public struct RedirectPolicy: Hashable, Sendable {
    enum Scope: Hashable, Sendable { case none, sameOrigin, anywhere }

    let scope: Scope
    let limit: Int
    var sendsBodiesElsewhere = false

    /// Redirects are answers.
    public static let never = Self(scope: .none, limit: 0)

    /// Follows redirects on the client's own scheme, host and port. The default, with at most 10.
    public static func sameOrigin(limit: Int = 10) -> Self { Self(scope: .sameOrigin, limit: max(0, limit)) }

    /// Follows redirects anywhere.
    ///
    /// - Parameters:
    ///   - limit: The most redirects of one call.
    ///   - sendsBodiesElsewhere: Whether a body may go to another origin, which 307 and 308 ask for. Default: no.
    public static func follow(limit: Int, sendsBodiesElsewhere: Bool = false) -> Self {
        Self(scope: .anywhere, limit: max(0, limit), sendsBodiesElsewhere: sendsBodiesElsewhere)
    }
}
