internal import HeliumCore

/// Why the service refused a sign-in or an exchange (§1.3, RFC 6749 section 5.2).
public struct OAuthRefusal: Hashable, Sendable {
    /// The code of RFC 6749: `invalid_grant`, `invalid_client`, `access_denied`.
    public let code: String

    /// What it means, for developers.
    public let explanation: String?

    /// A title to show to the user as it is; the password flow has it.
    public let userTitle: String?

    /// A text to show to the user as it is; the password flow has it.
    public let userText: String?

    /// A refusal.
    public init(code: String, explanation: String? = nil, userTitle: String? = nil, userText: String? = nil) {
        self.code = code
        self.explanation = explanation
        self.userTitle = userTitle
        self.userText = userText
    }
}

extension OAuthRefusal {
    /// The same with secrets masked: a server may echo what it was sent.
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
    /// The code, and what it means.
    public var description: String {
        let parts = [code, explanation ?? userText].compactMap(\.self)
        return PeerText.escaped(PeerText.shortened(parts.joined(separator: ": "), to: 1024))
    }
}
