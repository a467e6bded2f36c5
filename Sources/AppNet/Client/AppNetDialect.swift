public import Foundation

/// The service that a client talks to. Both services offer the same API in two forms (Docs/Protocols/AppNet.md §6).
///
/// Calls, values and lists are those of App.net for both. Paths, methods, parameters and members are translated for
/// pnut.io.
public enum AppNetDialect: String, Hashable, Sendable, CaseIterable {
    /// App.net's API as documented in 2014.
    case appNet

    /// pnut.io, version 1.
    case pnut
}

/// The service's own addresses, which only pnut.io has. App.net closed in 2017, and tokens must not be sent to whoever
/// owns its domain today. A client of the App.net dialect is configured with the addresses of its server.
extension AppNetDialect {
    /// The API's base URL, including the version (Docs/Protocols/AppNet.md §1.1, §6.1); `nil` for App.net.
    public var baseURL: URL? { pnut("https://api.pnut.io/v1/") }

    /// The URL of user streams over WebSocket (Docs/Protocols/AppNet.md §2.14, §6.2); `nil` for App.net.
    public var userStreamURL: URL? { pnut("wss://stream.pnut.io/v1/user") }

    /// The base URL of `authenticate` and `authorize`, where a user signs in with a browser; `nil` for App.net.
    ///
    /// See Docs/Protocols/AppNet.md §1.3 and §6.1.
    public var signInBaseURL: URL? { pnut("https://pnut.io/oauth/") }

    /// The base URL of `access_token` (Docs/Protocols/AppNet.md §1.3, §6.1); `nil` for App.net.
    public var tokenBaseURL: URL? { pnut("https://api.pnut.io/v1/oauth/") }

    private func pnut(_ text: String) -> URL? { self == .pnut ? URL(string: text) : nil }

    /// Returns the given address, or the dialect's own if there is none.
    ///
    /// - Parameter name: The parameter's name, for the error.
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidConfiguration`` if there is neither.
    func address(_ given: URL?, or own: URL?, _ name: String) throws(AppNetError) -> URL {
        guard let url = given ?? own else {
            throw AppNetError(
                .invalidConfiguration,
                "\(serviceName) no longer has a public service: set \(name)"
            )
        }
        return url
    }
}
