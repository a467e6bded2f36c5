public import Foundation
public import HeliumCore
public import HeliumCurl
public import HeliumKit

// Former names. They are unavailable instead of deprecated, because a deprecated alias takes part in name lookup. A
// file that also imports NIOCore could then not use `Channel`, and a file that also imports Cosm could not use `User`.

/// The former name of ``AppNetChannel``.
@available(*, unavailable, renamed: "AppNetChannel")
public typealias Channel = AppNetChannel

/// The former name of ``AppNetUser``.
@available(*, unavailable, renamed: "AppNetUser")
public typealias User = AppNetUser

// Former forms of public API. Each forwards to its replacement.

extension AppNetConfiguration {
    /// The former form of `init(token:dialect:baseURL:userStreamURL:)`, with the token as a `String`.
    @available(*, deprecated, message: "pass a Secret: AppNetConfiguration(token: Secret(token), …)")
    @_disfavoredOverload
    public init(
        token: String?,
        dialect: AppNetDialect = .appNet,
        baseURL: URL? = nil,
        userStreamURL: URL? = nil
    ) {
        self.init(
            token: token.map { Secret($0) },
            dialect: dialect,
            baseURL: baseURL,
            userStreamURL: userStreamURL
        )
    }
}

extension AppNetDialect {
    /// The former name of ``signInBaseURL``.
    @available(*, deprecated, renamed: "signInBaseURL")
    public var signInURL: URL? { signInBaseURL }

    /// The former name of ``tokenBaseURL``.
    @available(*, deprecated, renamed: "tokenBaseURL")
    public var tokenURL: URL? { tokenBaseURL }
}

extension AppNetAuthenticator {
    /// The former form of ``init(clientID:clientSecret:dialect:tokenBaseURL:baseURL:options:connection:environment:)``.
    @available(
        *,
        deprecated,
        renamed: "init(clientID:clientSecret:dialect:tokenBaseURL:baseURL:options:connection:environment:)"
    )
    public convenience init(
        clientID: String,
        clientSecret: Secret? = nil,
        dialect: AppNetDialect = .appNet,
        tokenURL: URL?,
        baseURL: URL? = nil,
        options: ClientOptions = ClientOptions(),
        connection: CurlTransport.Configuration = CurlTransport.Configuration(),
        environment: ClientEnvironment = ClientEnvironment()
    ) throws(AppNetError) {
        try self.init(
            clientID: clientID,
            clientSecret: clientSecret,
            dialect: dialect,
            tokenBaseURL: tokenURL,
            baseURL: baseURL,
            options: options,
            connection: connection,
            environment: environment
        )
    }
}

extension WebSignIn {
    /// The former name of ``signInBaseURL``.
    @available(*, deprecated, renamed: "signInBaseURL")
    public var signInURL: URL {
        get { signInBaseURL }
        set { signInBaseURL = newValue }
    }

    /// The former form of ``init(clientID:redirectURI:scopes:flow:state:dialect:signInBaseURL:)``.
    @available(*, deprecated, renamed: "init(clientID:redirectURI:scopes:flow:state:dialect:signInBaseURL:)")
    public init(
        clientID: String,
        redirectURI: String,
        scopes: [AuthScope],
        flow: Flow = .code,
        state: String? = nil,
        dialect: AppNetDialect = .appNet,
        signInURL: URL?
    ) throws(AppNetError) {
        try self.init(
            clientID: clientID,
            redirectURI: redirectURI,
            scopes: scopes,
            flow: flow,
            state: state,
            dialect: dialect,
            signInBaseURL: signInURL
        )
    }
}

extension PostCalls {
    /// The former name of ``authored(by:parameters:)``.
    @available(*, deprecated, renamed: "authored(by:parameters:)")
    public func of(_ user: AppNetUser.ID, _ parameters: GeneralParameters = GeneralParameters()) -> PagedList<Post> {
        authored(by: user, parameters: parameters)
    }
}

/// The former name of the items of a list.
@available(*, deprecated, message: "use PageElements<ListPages<Element>, [Element]>")
public typealias PagedItems<Element: Sendable> = PageElements<ListPages<Element>, [Element]>
