public import HeliumServerKit

/// How the embedded server's middleware behaves.
public struct MiddlewareConfiguration: Sendable {
    /// The secrets that keys may be signed with; at least one. The first is the one the ready line names.
    /// Default: the protocol page's public example.
    public var secrets: [MiddlewareSecret] = [.publicExample]
    /// The static access keys (§1.7). Default: the reference demo's.
    public var staticKeys: [StaticAccessKey] = [.publicExample]
    /// The path before every route, without a slash at its end. Default: `/demo-auth/v1`.
    public var prefix = "/demo-auth/v1"
    /// The group of all routes: a secret must list it. Default: `demo`.
    public var group = "demo"
    /// The largest JSON body after decompression, in bytes; a longer one is answered with 413 (§1.3).
    /// Default: 524,288 (512 kB).
    public var maximumJSONBytes = 512 * 1024
    /// A limit per client address and kind of route (list, index, create, update, delete), which the
    /// `X-Rate-Limit-*` headers report (§5.6). Default: nil, no limit and no headers.
    public var rateLimit: ServerRateLimit?
    /// The time of day. Default: the machine's.
    public var clock = ServerClock.system
    /// How many devices are kept; registering one more forgets the one that was unused longest. Default: 10,000.
    public var maximumDevices = 10_000
    /// How many todos are kept; creating one more removes the oldest. Default: 10,000.
    public var maximumTodos = 10_000

    /// The defaults named at each property.
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
                "a secret and its id have 32 characters each"
            )
        }
        for key in staticKeys {
            try ConfigurationCheck.require(key.value.utf8.count == 32, "a static access key has 32 characters")
        }
        try ConfigurationCheck.require(
            prefix.isEmpty || (prefix.hasPrefix("/") && !prefix.hasSuffix("/")),
            "the prefix starts with a slash and does not end with one"
        )
        try rateLimit?.validate()
        for key in staticKeys { try key.rateLimit?.validate() }
    }
}

/// The limit of ``MiddlewareConfiguration/rateLimit`` and of static keys.
public typealias MiddlewareRateLimit = ServerRateLimit
