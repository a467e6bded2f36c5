public import HTTPTypes
public import HeliumEssentials

/// A request as a transport sends it: complete, checked and authorized.
public struct TransportRequest: Sendable {
    /// The method, as on the request line.
    public var method: HTTPRequest.Method

    /// Where to, exactly as on the wire.
    public var url: RequestURL

    /// All fields that are sent besides `Host`, `Content-Length` and `Accept-Encoding`, which are the transport's.
    public var fields: HTTPFields

    /// The body's bytes; `nil` sends none. An empty body sends `Content-Length: 0`.
    public var body: Data?

    /// A body that is read while it is sent, in place of ``body``, which is `nil` then.
    public var upload: UploadBody?

    /// The time limits of this transfer, counted from now.
    public var timeouts: PhaseTimeouts

    /// The ceilings on the answer's head.
    public var limits: ResponseLimits

    /// How the answer's body is delivered.
    public var responseBody: ResponseBodyMode

    /// Which HTTP versions may be used.
    public var version: HTTPVersionPolicy

    /// Whether the response body may come compressed. `false` asks for it as it is (`Accept-Encoding: identity`): for
    /// streams, and for ranges of a file, which need it. Default: `true`.
    public var acceptsContentCodings = true

    /// A request; what is not given has its type's default.
    public init(
        method: HTTPRequest.Method,
        url: RequestURL,
        fields: HTTPFields = [:],
        body: Data? = nil,
        upload: UploadBody? = nil,
        timeouts: PhaseTimeouts = PhaseTimeouts(),
        limits: ResponseLimits = ResponseLimits(),
        responseBody: ResponseBodyMode = .collect(upTo: ResponseLimits.defaultBodyBytes),
        version: HTTPVersionPolicy = .automatic
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.upload = upload
        self.timeouts = timeouts
        self.limits = limits
        self.responseBody = responseBody
        self.version = version
    }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
    /// Method, redacted URL and fields, credentials and the values of queries masked, the body by its size only.
    public var description: String {
        let redactor = Redactor(secrets: [])
        let fields = fields.map { ShownField.line($0, redactor) }
        return "\(method.rawValue) \(url.redacted) [\(fields.joined(separator: ", "))] \(size)"
    }

    private var size: String {
        guard let upload else { return "\(body?.count ?? 0) bytes" }
        return upload.length.map { "\($0) bytes" } ?? "a stream"
    }

    /// Only what the description shows.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension TransportRequest {
    /// The content codings that the transport on libcurl asks for and decodes, as the value of `Accept-Encoding`.
    package static let contentCodings = "gzip, deflate"
}

/// How the body of an answer is delivered.
public enum ResponseBodyMode: Hashable, Sendable {
    /// The whole body in memory; more decoded bytes than this fail with ``Ceiling/bodyBytes``.
    case collect(upTo: Int)

    /// As a back-pressured stream: the head is returned as soon as it is there.
    case stream
}

/// Which HTTP versions a transfer may use.
public struct HTTPVersionPolicy: Hashable, Sendable {
    package enum Choice: Hashable, Sendable { case automatic, http1, http2PriorKnowledge }

    package let choice: Choice

    /// HTTP/2 where TLS negotiates it (ALPN), else HTTP/1.1. The default.
    public static let automatic = Self(choice: .automatic)

    /// HTTP/1.1 only: for long streams and media, where one connection per transfer keeps back-pressure exact.
    public static let http1 = Self(choice: .http1)

    /// HTTP/2 without negotiation in clear text (RFC 9113 section 3.3): for servers known to speak it.
    ///
    /// The first request to an origin opens a connection. Others that come meanwhile wait for it in phase `queue`, then
    /// share it; one more is opened when it takes no more requests. These connections are never shared with requests of
    /// another policy. Over `https` HTTP/2 is negotiated (section 3.2), as with ``automatic``.
    public static let http2PriorKnowledge = Self(choice: .http2PriorKnowledge)
}
