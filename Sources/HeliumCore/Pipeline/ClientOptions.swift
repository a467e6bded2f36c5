public import HTTPTypes
public import HeliumEssentials

/// Everything about a client that has a default.
public struct ClientOptions: Sendable {
    /// The statuses that count as success; any other is ``FailureKind/unacceptableStatus``. Default: 200 ..< 300.
    public var acceptableStatusCodes = 200..<300

    /// The time limits, phase by phase. A request's own `timeout` replaces ``PhaseTimeouts/total``.
    public var timeouts = PhaseTimeouts()

    /// The ceilings on what a server may make grow.
    public var limits = ResponseLimits()

    /// When calls are attempted again. Default: up to 3 attempts where it does no harm.
    public var retry = RetryPolicy.standard

    /// How many retries all calls of the client together may make. Default: 20 % of the calls, and 10 at the start.
    public var retryBudget = RetryBudget()

    /// Finds in a refusal the reason to try again that its status doesn't tell, such as a 403 whose body speaks of too many
    /// requests; `nil` where it tells none. Gets the body's beginning too. All else is up to ``retry``. Default: none.
    public var retryHint: (@Sendable (ResponseHead, Data) -> RetryReason?)?

    /// Which redirects are followed. Default: at most 10, on the client's own origin.
    public var redirects = RedirectPolicy.sameOrigin()

    /// How many calls may be under way, and how many may wait. Default: 1,024 and 8,192.
    public var concurrency = ConcurrencyLimits()

    /// The methods whose calls get an ``IdempotencyKey`` if they have none. Default: none.
    public var methodsWithIdempotencyKeys: Set<HTTPRequest.Method> = []

    /// The field that carries the ``IdempotencyKey``. Default: `Idempotency-Key`.
    public var idempotencyKeyField = HTTPField.Name.idempotencyKey

    /// Interceptors of calls, the outermost first. Default: none.
    public var interceptors: [any Interceptor] = []

    /// Interceptors of attempts, the outermost first. Default: none.
    public var attemptInterceptors: [any Interceptor] = []

    /// Where in an answer's document the value stands. Default: the document itself.
    public var envelope = ResponseEnvelope.raw

    /// Makes bodies from values. Default: `HeliumJSONEncoder.bodies`.
    public var encoder: any BodyEncoder = HeliumJSONEncoder.bodies

    /// Makes values from bodies. Default: `HeliumJSONDecoder`.
    public var decoder: any BodyDecoder = HeliumJSONDecoder()

    /// The `User-Agent` field, at least 5 characters. Default: `Helium/0.6.0 (Linux)` or the like.
    public var userAgent = ClientOptions.defaultUserAgent

    /// Fields that every request carries; a request's own of the same name replaces them. Default: none.
    public var fields: HTTPFields = [:]

    /// The names that the server uses in its documents and queries. Default: none.
    package var vocabulary = ServerVocabulary()

    /// How lists are written in queries. Default: repeated, `ids=1&ids=2`.
    public var listStyle = QueryParameters.ListStyle.repeated

    /// Which HTTP versions requests may use. Default: HTTP/2 where TLS negotiates it, else HTTP/1.1.
    public var httpVersion = HTTPVersionPolicy.automatic

    /// Which HTTP versions streams may use. Default: HTTP/1.1, whose back-pressure holds back that one stream only.
    public var streamHTTPVersion = HTTPVersionPolicy.http1

    /// What the client tells of its calls: logs, metrics, traces. Default: nothing.
    public var observability = Observability.none

    /// The defaults.
    public init() {}

    /// The default of ``userAgent``.
    public static let defaultUserAgent: String = {
        #if os(Linux)
            "Helium/\(HeliumVersion.current) (Linux)"
        #elseif os(macOS)
            "Helium/\(HeliumVersion.current) (macOS)"
        #else
            "Helium/\(HeliumVersion.current) (Swift)"
        #endif
    }()
}

extension HTTPField.Name {
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    package static let idempotencyKey = Self(constant: "Idempotency-Key")
}
