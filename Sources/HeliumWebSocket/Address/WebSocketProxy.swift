public import Foundation

/// Whether a connection goes through an HTTP proxy, by the method CONNECT.
public struct WebSocketProxy: Sendable {
    enum Choice: Sendable {
        case none
        case environment([String: String])
        case url(URL)
    }

    let choice: Choice

    private init(_ choice: Choice) { self.choice = choice }

    /// Connects directly, whatever the environment says.
    public static let none = Self(.none)

    /// What the process's environment says, read when the value is made, by libcurl's rules.
    ///
    /// The first of these that is set and not empty counts: for `ws` `ws_proxy`, `WS_PROXY`, `http_proxy` (in lower case
    /// only: a server's environment may hold a request's field as `HTTP_PROXY`), for `wss` `wss_proxy`, `WSS_PROXY`,
    /// `https_proxy`, `HTTPS_PROXY`, for both then `all_proxy`, `ALL_PROXY`. Hosts of `no_proxy`, else `NO_PROXY`, are
    /// connected to directly: names (`example.com` also stands for all below it), addresses and networks
    /// (`10.0.0.0/8`), separated by commas or blanks; `*` stands for all.
    public static var environment: Self { environment(ProcessInfo.processInfo.environment) }

    /// What these variables say, by the rules of ``environment``.
    public static func environment(_ variables: [String: String]) -> Self { Self(.environment(variables)) }

    /// Through this proxy: `http://[user:password@]host[:port]`; the port is 1080 where it is missing, as libcurl has it.
    /// User and password are sent as Basic credentials (RFC 7617) and never shown.
    public static func http(_ url: URL) -> Self { Self(.url(url)) }
}

extension WebSocketProxy: CustomStringConvertible, CustomReflectable {
    /// `none`, `environment` or `http`: a proxy's URL may hold a password.
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
