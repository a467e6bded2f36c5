internal import HeliumCore

/// The service's reason for refusing a sign-in or the exchange of a code
/// (Docs/Protocols/AppNet.md §1.3, RFC 6749 §5.2).
public struct OAuthRefusal: Hashable, Sendable {
    /// The error code of RFC 6749, such as `invalid_grant`, `invalid_client` or `access_denied`.
    public let code: String

    /// The explanation for developers.
    public let explanation: String?

    /// A title to show to the user unchanged. Only the password flow has it.
    public let userTitle: String?

    /// A text to show to the user unchanged. Only the password flow has it.
    public let userText: String?

    /// Creates a refusal.
    package init(code: String, explanation: String? = nil, userTitle: String? = nil, userText: String? = nil) {
        self.code = code
        self.explanation = explanation
        self.userTitle = userTitle
        self.userText = userText
    }
}

extension OAuthRefusal {
    /// Returns the refusal with secrets masked, because a server may echo the request.
    func redacted(by redactor: Redactor) -> Self {
        Self(
            code: redactor.redact(code, upTo: ServerError.maximumBytes),
            explanation: explanation.map { redactor.redact($0, upTo: ServerError.maximumBytes) },
            userTitle: userTitle.map { redactor.redact($0, upTo: ServerError.maximumBytes) },
            userText: userText.map { redactor.redact($0, upTo: ServerError.maximumBytes) }
        )
    }
}

extension OAuthRefusal: CustomStringConvertible {
    /// The code and its explanation.
    public var description: String {
        let parts = [code, explanation ?? userText].compactMap(\.self)
        return PeerText.escaped(PeerText.shortened(parts.joined(separator: ": "), to: 1024))
    }
}
