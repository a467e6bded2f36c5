/// A secret that clients may sign with (Docs/Protocols/Middleware.md §1.2), and the route groups for which it is valid.
public struct MiddlewareSecret: Sendable {
    /// The secret's id, which is part of every key: 32 lower-case hexadecimal characters. It is public.
    public var id: String
    /// The secret itself: 32 characters. It is never printed.
    public var secret: String
    /// The route groups for which the secret is valid. A route of another group responds with 403 `KeyInvalidForGroup`.
    /// Default: `demo`, the group of this server's routes unless ``MiddlewareConfiguration/group`` is changed.
    public var groups: Set<String> = ["demo"]
    /// Whether keys created with the secret are accepted. If not, they are rejected with 401 `KeyInvalid`. Default:
    /// `true`.
    public var isEnabled = true

    /// Creates a secret that is enabled for the group `demo`.
    public init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }

    /// The public example of Docs/Protocols/Middleware.md, which protects nothing: secret `74168c…`, id `91205b…`.
    public static let publicExample = Self(
        id: "91205b43c5144068ee9979b093925f77",
        secret: "74168c7a1868ddeee3355fab9489914b"
    )
}

extension MiddlewareSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The id, the groups and the state, without the secret.
    public var description: String {
        "secret \(id) for \(groups.sorted().joined(separator: ", "))\(isEnabled ? "" : ", disabled")"
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// The same facts as ``description``, so that `dump` and test failures do not print the secret.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "groups": groups, "isEnabled": isEnabled]) }
}
