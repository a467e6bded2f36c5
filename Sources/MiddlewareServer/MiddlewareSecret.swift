/// A secret that clients may sign with (§1.2), and the route groups it opens.
public struct MiddlewareSecret: Sendable {
    /// Names the secret in every key: 32 lower-case hexadecimal characters. Public.
    public var id: String
    /// The secret itself: 32 characters. Never printed.
    public var secret: String
    /// The route groups that the secret opens; a route of another group answers 403 `KeyInvalidForGroup`.
    /// Default: `demo`, the group of this server's routes unless ``MiddlewareConfiguration/group`` says otherwise.
    public var groups: Set<String> = ["demo"]
    /// Whether keys made with the secret are accepted; if not they are answered with 401 `KeyInvalid`. Default: true.
    public var isEnabled = true

    /// A secret that is enabled for the group `demo`.
    public init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }

    /// The protocol page's public example, which protects nothing: secret `74168c…`, id `91205b…`.
    public static let publicExample = Self(
        id: "91205b43c5144068ee9979b093925f77",
        secret: "74168c7a1868ddeee3355fab9489914b"
    )
}

extension MiddlewareSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The id, the groups and the state; never the secret.
    public var description: String {
        "secret \(id) for \(groups.sorted().joined(separator: ", "))\(isEnabled ? "" : ", disabled")"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows no more than ``description``: `dump` and test failures must not print the secret either.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "groups": groups, "isEnabled": isEnabled]) }
}
