public import HeliumServerKit

/// A `key` of exactly 32 characters that is accepted as it stands, without a signature (§1.7). Meant for tests and
/// fixed servers.
public struct StaticAccessKey: Sendable {
    /// The key: 32 characters. Never printed.
    public var value: String
    /// The route groups it opens; empty opens all. Others answer 403 `KeyInvalidForGroup`. Default: empty.
    public var groups: Set<String> = []
    /// Whether it is accepted; if not, 403 `TemporaryDisabled`. Default: true.
    public var isActive = true
    /// Address blocks (`10.0.0.0/8`, `::1/128`) it may be used from; others answer 403 `IPNotAllowed`.
    /// Default: every address.
    public var allowedAddresses: [String] = ["0.0.0.0/0", "::/0"]
    /// Address blocks it may not be used from, whatever ``allowedAddresses`` says. Default: none.
    public var blockedAddresses: [String] = []
    /// How often it may be used; beyond it, 429 `RateLimitExceededForKey`. Default: nil, without limit.
    public var rateLimit: ServerRateLimit?

    /// A key for all groups and addresses, without a limit.
    public init(_ value: String) { self.value = value }

    /// The key that the reference's demo project creates.
    public static let publicExample = Self("9cd43d5622a2fa78b67b3412a2d8c614")
}

extension StaticAccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never shows the key.
    public var description: String {
        "static access key for \(groups.isEmpty ? "all groups" : groups.sorted().joined(separator: ", "))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows no more than ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["groups": groups, "isActive": isActive]) }
}
