public import HTTPTypes

/// Everything about a client that has a default.
public struct ClientOptions: Sendable {
    /// The statuses that count as success; any other is ``FailureKind/unacceptableStatus``. Default: 200 ..< 300.
    public var acceptableStatusCodes = 200..<300

    /// The time limits, phase by phase. A request's own `timeout` replaces ``PhaseTimeouts/total``.
    public var timeouts = PhaseTimeouts()

    /// The ceilings on what a server may make grow.
    public var limits = ResponseLimits()

    /// Where in an answer's document the value stands. Default: the document itself; for the middleware, its envelope.
    public var envelope = ResponseEnvelope.raw

    /// Makes bodies from values. Default: ``FoundationJSONEncoder``.
    public var encoder: any BodyEncoder = FoundationJSONEncoder()

    /// Makes values from bodies. Default: ``FoundationJSONDecoder``.
    public var decoder: any BodyDecoder = FoundationJSONDecoder()

    /// The `User-Agent` field, at least 5 characters because the middleware's device registration asks for it (section
    /// 3.1). Default: `Helium/0.1.0 (Linux)` or the like.
    public var userAgent = ClientOptions.defaultUserAgent

    /// Fields that every request carries; a request's own of the same name replaces them. Default: none.
    public var fields: HTTPFields = [:]

    /// The parameter that carries a ``FieldsSelector``'s text. Default: `selection` (middleware.md section 5.4).
    public var selectionParameter = "selection"

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
