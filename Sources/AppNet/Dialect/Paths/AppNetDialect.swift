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

extension AppNetDialect {
    /// Where the service is, the version included (§1.1, §6.1).
    public var baseURL: URL {
        switch self {
        case .appNet: Self.address("https://alpha-api.app.net/stream/0/")
        case .pnut: Self.address("https://api.pnut.io/v1/")
        }
    }

    /// Where user streams are, over WebSockets (§2.14, §6.2).
    public var userStreamURL: URL {
        switch self {
        case .appNet: Self.address("wss://stream-channel.app.net/stream/user")
        case .pnut: Self.address("wss://stream.pnut.io/v1/user")
        }
    }

    /// Where a browser signs a user in: the folder of `authenticate` and `authorize` (§1.3, §6.1).
    public var signInURL: URL {
        switch self {
        case .appNet: Self.address("https://account.app.net/oauth/")
        case .pnut: Self.address("https://pnut.io/oauth/")
        }
    }

    /// Where tokens are had: the folder of `access_token` (§1.3, §6.1).
    public var tokenURL: URL {
        switch self {
        case .appNet: Self.address("https://account.app.net/oauth/")
        case .pnut: Self.address("https://api.pnut.io/v1/oauth/")
        }
    }

    private static func address(_ text: String) -> URL {
        // All of these are URLs; a client would refuse this one.
        URL(string: text) ?? URL(fileURLWithPath: "/")
    }
}
