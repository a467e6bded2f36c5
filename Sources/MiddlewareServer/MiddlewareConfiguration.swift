public import HeliumServerKit

/// The configuration of the embedded server's middleware.
public struct MiddlewareConfiguration: Sendable {
    /// The secrets that keys may be signed with; at least one. The ready line contains the first. Default: the public
    /// example of Docs/Protocols/Middleware.md.
    public var secrets: [MiddlewareSecret] = [.publicExample]
    /// The static access keys (Docs/Protocols/Middleware.md §1.7). Default: that of the reference server's demo.
    public var staticKeys: [StaticAccessKey] = [.publicExample]
    /// The path in front of every route, without a slash at its end. Default: `/demo-auth/v1`.
    public var prefix = "/demo-auth/v1"
    /// The group of all routes, which a secret must include. Default: `demo`.
    public var group = "demo"
    /// The maximum size of a JSON body after decompression, in bytes. A larger body is rejected with 413
    /// (Docs/Protocols/Middleware.md §1.3). Default: 524,288 (512 kB).
    public var maximumJSONBytes = 512 * 1024
    /// A limit per client address and kind of route (list, index, create, update, delete), which the `X-Rate-Limit-*`
    /// headers report (Docs/Protocols/Middleware.md §5.6). Default: `nil`, no limit and no headers.
    public var rateLimit: ServerRateLimit?
    /// The clock of the server. Default: the machine's.
    public var clock = ServerClock.system
    /// The maximum number of devices that were used with a valid key. The first use of a further one deletes the one that
    /// was unused longest. Default: 10,000.
    ///
    /// Devices that were never used take the rest of this number, and at least a quarter of it in addition. Registering a
    /// further one deletes the oldest unused device of the client address with the most of them. It never deletes a device
    /// that was used, because a registration needs no key.
    public var maximumDevices = 10_000
    /// The limit on registrations of devices for each client address. The first 64 bits of an IPv6 address count as one
    /// address. Further registrations get 429. `nil` for no limit; there is none either if
    /// ``ServerLimits/sharePerAddress`` is 1, because all clients can then have the address of a proxy. Default: 600 in a
    /// minute.
    ///
    /// With the limit, a new device has at least some minutes for its first use, also if its address is shared with a
    /// client that registers devices as fast as it can.
    public var registrationLimit: ServerRateLimit? = ServerRateLimit(requests: 600, minutes: 1)
    /// The maximum number of todos. Creating a further one deletes the oldest. Default: 10,000.
    public var maximumTodos = 10_000

    /// Creates the default configuration.
    public init() {}
}

extension MiddlewareConfiguration: ServerProtocolConfiguration {
    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try ConfigurationCheck.requirePositive([
            ("maximumJSONBytes", maximumJSONBytes), ("maximumDevices", maximumDevices), ("maximumTodos", maximumTodos),
        ])
        try ConfigurationCheck.require(!secrets.isEmpty, "the middleware has no secret")
        for secret in secrets {
            try ConfigurationCheck.require(
                secret.id.utf8.count == 32 && secret.secret.utf8.count == 32,
                "a secret and its id must have 32 characters each"
            )
        }
        for key in staticKeys {
            try ConfigurationCheck.require(key.value.utf8.count == 32, "a static access key must have 32 characters")
        }
        try ConfigurationCheck.require(
            prefix.isEmpty || (prefix.hasPrefix("/") && !prefix.hasSuffix("/")),
            "the prefix must start with a slash and must not end with one"
        )
        try rateLimit?.validate()
        try registrationLimit?.validate(as: "the limit on registrations")
        for key in staticKeys { try key.rateLimit?.validate() }
    }
}

/// The limit of ``MiddlewareConfiguration/rateLimit`` and of static keys.
public typealias MiddlewareRateLimit = ServerRateLimit
