public import HTTPTypes
public import HeliumEssentials

/// The settings of a client that have a default.
public struct ClientOptions: Sendable {
    /// The statuses that count as success. Any other status fails with ``FailureKind/unacceptableStatus``. Default: 200
    /// ..< 300.
    public var acceptableStatusCodes = 200..<300

    /// The time limits of the phases. A request's own `timeout` replaces ``PhaseTimeouts/total``.
    public var timeouts = PhaseTimeouts()

    /// The limits on the size of responses.
    public var limits = ResponseLimits()

    /// The conditions under which a call is attempted again. Default: up to 3 attempts, if repeating the call is safe.
    public var retry = RetryPolicy.standard

    /// The number of retries that all calls of the client may make together. Default: 20 % of the calls, and 10 at the
    /// start.
    public var retryBudget = RetryBudget()

    /// Returns the reason for a retry that the status of a rejected call does not reveal, such as a 403 whose body
    /// reports too many requests, or `nil` if there is none. It also receives the beginning of the body. The other
    /// conditions of ``retry`` still apply. Default: none.
    public var retryHint: (@Sendable (ResponseHead, Data) -> RetryReason?)?

    /// The redirects that are followed. Default: at most 10, on the client's own origin.
    public var redirects = RedirectPolicy.sameOrigin()

    /// The maximum number of concurrent and of waiting calls. Default: 1,024 and 8,192.
    public var concurrency = ConcurrencyLimits()

    /// The methods whose calls receive an ``IdempotencyKey`` if they have none. Default: none.
    public var methodsWithIdempotencyKeys: Set<HTTPRequest.Method> = []

    /// The field that carries the ``IdempotencyKey``. Default: `Idempotency-Key`.
    public var idempotencyKeyField = HTTPField.Name.idempotencyKey

    /// The interceptors of calls, outermost first. Default: none.
    public var interceptors: [any Interceptor] = []

    /// The interceptors of attempts, outermost first. Default: none.
    public var attemptInterceptors: [any Interceptor] = []

    /// The position of the value in a response document. Default: the document itself.
    public var envelope = ResponseEnvelope.raw

    /// The encoder of request bodies. Default: `HeliumJSONEncoder.bodies`.
    public var encoder: any BodyEncoder = HeliumJSONEncoder.bodies

    /// The decoder of response bodies. Default: `HeliumJSONDecoder`.
    public var decoder: any BodyDecoder = HeliumJSONDecoder()

    /// The `User-Agent` field, at least 5 characters. Default: `Helium/0.6.0 (Linux)`, with the package's version and
    /// the platform.
    public var userAgent = ClientOptions.defaultUserAgent

    /// The fields that every request carries. A request's own field of the same name replaces them. Default: none.
    public var fields: HTTPFields = [:]

    /// The names that the server uses in its documents and queries. Default: none.
    package var vocabulary = ServerVocabulary()

    /// The format of lists in queries. Default: repeated, `ids=1&ids=2`.
    public var listStyle = QueryParameters.ListStyle.repeated

    /// The HTTP versions that requests may use. Default: HTTP/2 if TLS negotiates it, otherwise HTTP/1.1.
    public var httpVersion = HTTPVersionPolicy.automatic

    /// The HTTP versions that streams may use. Default: HTTP/1.1, because its back-pressure affects that one stream
    /// only.
    public var streamHTTPVersion = HTTPVersionPolicy.http1

    /// The logs, metrics and traces of calls. Default: none.
    public var observability = Observability.none

    /// Creates the default options.
    public init() {}

    /// The default of ``userAgent``.
    package static let defaultUserAgent: String = {
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
