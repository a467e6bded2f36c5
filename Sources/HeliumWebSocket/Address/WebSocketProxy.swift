public import Foundation
internal import HeliumCore

/// The HTTP proxy of a connection, which is used with the method CONNECT.
public struct WebSocketProxy: Sendable {
    let choice: ProxyChoice

    private init(_ choice: ProxyChoice) { self.choice = choice }

    /// Connects directly, whatever the environment contains.
    public static let none = Self(.none)

    /// The proxy of the process's environment, by libcurl's rules. The environment is read when the value is created.
    ///
    /// The first variable that is set and not empty is used. For `ws` these are `ws_proxy`, `WS_PROXY` and `http_proxy`
    /// (in lower case only, because a server's environment may contain a request's field as `HTTP_PROXY`). For `wss`
    /// they are `wss_proxy`, `WSS_PROXY`, `https_proxy` and `HTTPS_PROXY`. For both, `all_proxy` and `ALL_PROXY`
    /// follow. Hosts of `no_proxy`, or else `NO_PROXY`, are connected to directly. It lists names (`example.com`
    /// includes all names below it), addresses and networks (`10.0.0.0/8`), separated by commas or blanks; `*` matches
    /// every host.
    public static var environment: Self { environment(ProcessInfo.processInfo.environment) }

    /// Returns the proxy of these variables, by the rules of ``environment``.
    public static func environment(_ variables: [String: String]) -> Self { Self(.environment(variables)) }

    /// Returns a proxy with the URL `http://[user:password@]host[:port]`. The default port is 1080, as in libcurl. User
    /// and password are sent as Basic credentials (RFC 7617) and never shown.
    public static func http(_ url: URL) -> Self { Self(.url(url)) }
}

extension WebSocketProxy: CustomStringConvertible, CustomReflectable {
    /// The kind `none`, `environment` or `http`. The proxy's URL is left out because it may contain a password.
    public var description: String {
        switch choice {
        case .none: "none"
        case .environment: "environment"
        case .url: "http"
        }
    }

    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
