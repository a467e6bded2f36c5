public import Foundation
public import HeliumCore
public import HeliumCurl
public import HeliumKit

/// What a client of App.net or pnut.io needs to know.
///
/// ```swift
/// var configuration = AppNetConfiguration(token: token, dialect: .pnut)
/// configuration.parameters.includesAnnotations = true
/// let client = try AppNetClient(configuration: configuration)
/// ```
public struct AppNetConfiguration: Sendable {
    /// Which service it is. Default: App.net.
    public var dialect: AppNetDialect

    /// The API's base URL, version included. Default: pnut.io's; a client of App.net's dialect needs one, because App.net's own
    /// service is closed.
    public var baseURL: URL?

    /// The URL of user streams. Default: pnut.io's where ``baseURL`` is pnut.io's too, else none, so that a user stream
    /// fails with ``AppNetError/Kind/invalidRequest``.
    public var userStreamURL: URL?

    /// The token, of a user or an app; sent in the field `Authorization` (§1.2). `nil` for calls that need none.
    public var token: Secret?

    /// What every call asks for (§1.8). A call's own parameters replace it one by one. Default: nothing, the service's
    /// defaults.
    public var parameters = GeneralParameters()

    /// The limits that texts and annotations are held against before they are sent. Default: the documented ones; those
    /// of ``ConfigurationCalls/get()`` are the service's own.
    public var limits = ServiceConfiguration.documented

    /// Behaviours to switch on or off while the service changes them (§1.5), by key. Default: none.
    public var migrations: [String: Bool] = [:]

    /// Whether answers are laid out for people: for the eyes only, they cost more. Default: no.
    public var isPretty = false

    /// Everything of a client that has a default.
    public var options = ClientOptions()

    /// How connections are made and kept.
    public var connection = CurlTransport.Configuration()

    /// Clock, chance and transport.
    public var environment = ClientEnvironment()

    /// A configuration.
    ///
    /// - Parameters:
    ///   - token: The token; `nil` for none.
    ///   - dialect: The service.
    ///   - baseURL: The API's base URL. Default: pnut.io's; needed for App.net's dialect.
    ///   - userStreamURL: The URL of user streams. Default: pnut.io's where `baseURL` is pnut.io's too, else none.
    public init(
        token: Secret? = nil,
        dialect: AppNetDialect = .appNet,
        baseURL: URL? = nil,
        userStreamURL: URL? = nil
    ) {
        self.dialect = dialect
        self.token = token
        self.baseURL = baseURL ?? dialect.baseURL
        // The token of another server's user is not for pnut.io.
        let isOwnService = baseURL == nil || baseURL == dialect.baseURL
        self.userStreamURL = userStreamURL ?? (isOwnService ? dialect.userStreamURL : nil)
    }
}

extension AppNetConfiguration: CustomStringConvertible, CustomReflectable {
    /// Service and address; not the token.
    public var description: String {
        "AppNetConfiguration(\(dialect.rawValue), \(baseURL?.absoluteString ?? "no base URL"))"
    }

    /// Service and address; not the token.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": description]) }
}
