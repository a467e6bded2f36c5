public import Foundation
public import HeliumCore

/// A user's sign-in with a browser: the URL of its page and the result of its redirect (Docs/Protocols/AppNet.md §1.3).
///
/// ```swift
/// let signIn = try WebSignIn(
///     clientID: clientID,
///     redirectURI: "https://example.com/signed-in",
///     scopes: [.basic, .messages, .files],
///     state: UUID().uuidString,
///     dialect: .pnut
/// )
/// let page = try signIn.url()  // open it in a browser, which comes back to `answer`
/// let authenticator = try AppNetAuthenticator(clientID: clientID, clientSecret: secret, dialect: .pnut)
/// let grant = try await authenticator.exchange(code: signIn.code(from: answer), redirectURI: signIn.redirectURI)
/// ```
public struct WebSignIn: Hashable, Sendable {
    /// The result of a sign-in.
    public enum Flow: String, Hashable, Sendable {
        /// A code in the query of the redirect, which ``AppNetAuthenticator/exchange(code:redirectURI:)`` exchanges for
        /// a token. Use this for apps with a server, which keeps the secret.
        case code
        /// The token itself, in the fragment of the redirect.
        case token
    }

    /// The client id of the app.
    public var clientID: String

    /// The URI to which the browser is redirected. It must be registered for the app.
    public var redirectURI: String

    /// The requested scopes. The user may grant fewer.
    public var scopes: [AuthScope]

    /// The result of the sign-in.
    public var flow: Flow

    /// A text that the redirect has to contain, which protects against forged redirects. Use a new random one for each
    /// sign-in.
    public var state: String?

    /// Whether to always ask the user for permission, even if it was already granted (`authorize`).
    public var alwaysAsks = false

    /// Whether to hide sign-up links, as Apple's App Store requires (`adnview=appstore`; on pnut.io `simple_login=1`).
    public var hidesSignUp = false

    /// The service.
    public var dialect: AppNetDialect

    /// The base URL of `authenticate` and `authorize`. The default is pnut.io's.
    public var signInBaseURL: URL

    /// Creates a sign-in.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidConfiguration`` for the App.net dialect without a
    ///   `signInBaseURL`.
    public init(
        clientID: String,
        redirectURI: String,
        scopes: [AuthScope],
        flow: Flow = .code,
        state: String? = nil,
        dialect: AppNetDialect = .appNet,
        signInBaseURL: URL? = nil
    ) throws(AppNetError) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.flow = flow
        self.state = state
        self.dialect = dialect
        self.signInBaseURL = try dialect.address(signInBaseURL, or: dialect.signInBaseURL, "signInBaseURL")
    }
}

extension WebSignIn {
    /// Returns the URL to open in the browser.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidConfiguration`` if ``signInBaseURL`` is invalid.
    public func url() throws(AppNetError) -> URL {
        var items = [
            ("client_id", clientID), ("response_type", flow.rawValue), ("redirect_uri", redirectURI),
            ("scope", scopes.map(\.rawValue).joined(separator: dialect.scopeSeparator)),
        ]
        if let state { items.append(("state", state)) }
        if hidesSignUp { items.append(dialect == .appNet ? ("adnview", "appstore") : ("simple_login", "1")) }
        let page = signInBaseURL.appendingPathComponent(alwaysAsks ? "authorize" : "authenticate")
        guard var components = URLComponents(url: page, resolvingAgainstBaseURL: true) else {
            throw AppNetError(.invalidConfiguration, "the URL of the sign-in is invalid")
        }
        components.percentEncodedQuery = items.map { "\($0.0)=\(RedirectParameters.escaped($0.1))" }.joined(
            separator: "&"
        )
        guard let url = components.url else {
            throw AppNetError(.invalidConfiguration, "the URL of the sign-in is invalid")
        }
        return url
    }

    /// Returns the code from the URL to which the browser was redirected.
    ///
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/signInRefused`` if the user or the service refused the
    ///   sign-in, or of kind ``AppNetError/Kind/invalidRequest`` if the URL is not a redirect of this sign-in.
    public func code(from url: URL) throws(AppNetError) -> Secret {
        let parameters = RedirectParameters(query: url.query(percentEncoded: true))
        return Secret(try member("code", of: parameters))
    }

    /// Returns the token from the URL to which the browser was redirected.
    ///
    /// - Throws: The errors of ``code(from:)``.
    public func grant(from url: URL) throws(AppNetError) -> AccessGrant {
        let parameters = RedirectParameters(query: url.fragment(percentEncoded: true))
        let token = try member("access_token", of: parameters)
        return AccessGrant(
            accessToken: Secret(token),
            userID: parameters["user_id"].map { AppNetUser.ID($0) },
            username: parameters["username"]
        )
    }

    private func member(_ name: String, of parameters: RedirectParameters) throws(AppNetError) -> String {
        if let state, parameters["state"]?.hasSameBytes(as: state) != true {
            throw AppNetError(.invalidRequest, "the state in the redirect does not match this sign-in")
        }
        if let code = parameters["error"] {
            let refusal = OAuthRefusal(code: code, explanation: parameters["error_description"])
            throw AppNetError(.signInRefused, "the sign-in was denied", refusal: refusal)
        }
        guard let value = parameters[name], !value.isEmpty else {
            throw AppNetError(.invalidRequest, "the URL has no \(name): it is not the redirect of a sign-in")
        }
        return value
    }
}

/// The members of a query or a fragment.
struct RedirectParameters: Sendable {
    private let members: [ByteText: String]

    init(query: String?) {
        var members: [ByteText: String] = [:]
        for item in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { String(decoding: $0, as: UTF8.self).replacingBytes(of: "+", with: " ") }
            let decoded = texts.map { $0.removingPercentEncoding ?? $0 }
            // The first value counts, so appending to the URL changes nothing.
            if let name = decoded.first, members[name] == nil { members[name] = decoded.count > 1 ? decoded[1] : "" }
        }
        self.members = members
    }

    subscript(name: String) -> String? { members[name] }

    /// Escapes all but the unreserved characters of a query value (RFC 3986 §2.3).
    static func escaped(_ text: String) -> String {
        let unreserved = CharacterSet(charactersIn: "-._~").union(.alphanumerics.intersection(ascii))
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let ascii = CharacterSet(charactersIn: Unicode.Scalar(0)...Unicode.Scalar(127))
}

extension AppNetDialect {
    /// The separator of scopes (Docs/Protocols/AppNet.md §1.3, §6.1).
    var scopeSeparator: String {
        switch self {
        case .appNet: " "
        case .pnut: ","
        }
    }
}
