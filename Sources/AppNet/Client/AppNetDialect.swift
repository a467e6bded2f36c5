public import Foundation

/// Which service a client speaks with: the same API in two forms (§6).
///
/// Calls, values and lists are App.net's in either; paths, methods, parameters and members are translated.
public enum AppNetDialect: String, Hashable, Sendable, CaseIterable {
    /// App.net's API as documented in 2014.
    case appNet

    /// pnut.io, version 1.
    case pnut
}

/// The service's own addresses: pnut.io's. App.net closed in 2017, and whoever owns its domain today must not be sent tokens:
/// a client of its dialect is given the addresses of the server that it is for.
extension AppNetDialect {
    /// The API's base URL, version included (AppNet.md §1.1, §6.1); `nil` for App.net.
    public var baseURL: URL? { pnut("https://api.pnut.io/v1/") }

    /// The URL of user streams over WebSockets (AppNet.md §2.14, §6.2); `nil` for App.net.
    public var userStreamURL: URL? { pnut("wss://stream.pnut.io/v1/user") }

    /// The base URL of `authenticate` and `authorize`, where a browser signs a user in (AppNet.md §1.3, §6.1); `nil` for App.net.
    public var signInBaseURL: URL? { pnut("https://pnut.io/oauth/") }

    /// The base URL of `access_token` (AppNet.md §1.3, §6.1); `nil` for App.net.
    public var tokenBaseURL: URL? { pnut("https://api.pnut.io/v1/oauth/") }

    private func pnut(_ text: String) -> URL? { self == .pnut ? URL(string: text) : nil }

    /// An address, or the dialect's own.
    ///
    /// - Parameter name: The parameter's name, for the error.
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidConfiguration`` where there is neither.
    func address(_ given: URL?, or own: URL?, _ name: String) throws(AppNetError) -> URL {
        guard let url = given ?? own else {
            throw AppNetError(
                .invalidConfiguration,
                "\(serviceName) has no service of its own any more: give a \(name)"
            )
        }
        return url
    }
}
