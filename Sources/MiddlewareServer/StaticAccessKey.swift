public import HeliumServerKit

/// A `key` of exactly 32 characters that is accepted without a signature (Docs/Protocols/Middleware.md §1.7). It is
/// meant for tests and fixed servers.
public struct StaticAccessKey: Sendable {
    /// The key: 32 characters. It is never printed.
    public var value: String
    /// The route groups for which the key is valid; empty for all. Other groups respond with 403 `KeyInvalidForGroup`.
    /// Default: empty.
    public var groups: Set<String> = []
    /// Whether the key is accepted. If not, it is rejected with 403 `TemporaryDisabled`. Default: `true`.
    public var isActive = true
    /// The address blocks (`10.0.0.0/8`, `::1/128`) from which the key may be used. Other addresses receive 403
    /// `IPNotAllowed`. Default: every address.
    public var allowedAddresses: [String] = ["0.0.0.0/0", "::/0"]
    /// The address blocks from which the key may not be used, even if ``allowedAddresses`` contains them. Default:
    /// none.
    public var blockedAddresses: [String] = []
    /// The rate limit of the key. Beyond it, requests are rejected with 429 `RateLimitExceededForKey`. Default: `nil`,
    /// no limit.
    public var rateLimit: ServerRateLimit?

    /// Creates a key for all groups and addresses, without a limit.
    public init(_ value: String) { self.value = value }

    /// The key that the reference server's demo project creates.
    public static let publicExample = Self("9cd43d5622a2fa78b67b3412a2d8c614")
}

extension StaticAccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The groups, without the key.
    public var description: String {
        "static access key for \(groups.isEmpty ? "all groups" : groups.sorted().joined(separator: ", "))"
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// The groups and the state, without the key.
    public var customMirror: Mirror { Mirror(self, children: ["groups": groups, "isActive": isActive]) }
}
