public import Foundation
public import HeliumCore
public import HeliumCurl
public import HeliumKit

/// The configuration of a client of App.net or pnut.io.
///
/// ```swift
/// var configuration = AppNetConfiguration(token: token, dialect: .pnut)
/// configuration.parameters.includesAnnotations = true
/// let client = try AppNetClient(configuration: configuration)
/// ```
public struct AppNetConfiguration: Sendable {
    /// The service. The default is App.net.
    public var dialect: AppNetDialect

    /// The API's base URL, including the version. The default is pnut.io's for its dialect.
    ///
    /// The App.net dialect has no default, because App.net's own service is closed.
    public var baseURL: URL?

    /// The URL of user streams. The default is pnut.io's if ``baseURL`` is pnut.io's too, otherwise `nil`.
    ///
    /// If it is `nil`, user streams fail with ``AppNetError/Kind/invalidRequest``.
    public var userStreamURL: URL?

    /// The token of a user or an app, sent in the `Authorization` field (Docs/Protocols/AppNet.md §1.2).
    ///
    /// `nil` for calls that need no token.
    public var token: Secret?

    /// The general parameters of every call (Docs/Protocols/AppNet.md §1.8). A call's own parameters override them one
    /// by one.
    ///
    /// By default nothing is sent, so the service's defaults apply.
    public var parameters = GeneralParameters()

    /// The limits of texts and annotations that are checked before sending.
    ///
    /// The default is the documented limits. ``ConfigurationCalls/get()`` returns the service's current limits.
    public var limits = ServiceConfiguration.documented

    /// The behaviors to switch on or off during a migration of the service, by key (Docs/Protocols/AppNet.md §1.5).
    ///
    /// The default is none.
    public var migrations: [String: Bool] = [:]

    /// Whether the service indents the JSON of its responses. Use it for debugging only, because responses get larger.
    ///
    /// The default is `false`.
    public var isPretty = false

    /// The options of the underlying client. All of them have defaults.
    public var options = ClientOptions()

    /// The settings for connections.
    public var connection = CurlTransport.Configuration()

    /// The clock, random source and transport.
    public var environment = ClientEnvironment()

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - token: The token; `nil` for none.
    ///   - dialect: The service.
    ///   - baseURL: The API's base URL. The default is pnut.io's. The App.net dialect needs one.
    ///   - userStreamURL: The URL of user streams. The default is pnut.io's if `baseURL` is pnut.io's too, otherwise
    ///     `nil`.
    public init(
        token: Secret? = nil,
        dialect: AppNetDialect = .appNet,
        baseURL: URL? = nil,
        userStreamURL: URL? = nil
    ) {
        self.dialect = dialect
        self.token = token
        self.baseURL = baseURL ?? dialect.baseURL
        // A token for another server must not be sent to pnut.io.
        let isOwnService = baseURL == nil || baseURL == dialect.baseURL
        self.userStreamURL = userStreamURL ?? (isOwnService ? dialect.userStreamURL : nil)
    }
}

extension AppNetConfiguration: CustomStringConvertible, CustomReflectable {
    /// The service and the base URL, without the token.
    public var description: String {
        "AppNetConfiguration(\(dialect.rawValue), \(baseURL?.absoluteString ?? "no base URL"))"
    }

    /// The service and the base URL, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": description]) }
}
