public import HTTPTypes
public import HeliumEssentials

/// A request as a transport sends it: complete, validated and authorized.
public struct TransportRequest: Sendable {
    /// The method, exactly as it is sent.
    public var method: HTTPRequest.Method

    /// The URL, exactly as it is sent.
    public var url: RequestURL

    /// All fields that are sent, except `Host`, `Content-Length` and `Accept-Encoding`, which the transport adds.
    public var fields: HTTPFields

    /// The body's bytes; `nil` sends none. An empty body sends `Content-Length: 0`.
    public var body: Data?

    /// A body that is read while it is sent. It replaces ``body``, which is `nil` then.
    public var upload: UploadBody?

    /// The time limits of this transfer, counted from its start.
    public var timeouts: PhaseTimeouts

    /// The limits on the response.
    public var limits: ResponseLimits

    /// The delivery of the response body.
    public var responseBody: ResponseBodyMode

    /// The HTTP versions that may be used.
    public var version: HTTPVersionPolicy

    /// Whether the response body may be compressed. `false` requests it uncompressed (`Accept-Encoding: identity`),
    /// which streams use and ranges of a file require. Default: `true`.
    public var acceptsContentCodings = true

    /// Creates a request. Omitted arguments have the default of their type.
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
    /// The method, the redacted URL and the fields, with credentials and the values of queries masked, and the size of
    /// the body.
    public var description: String {
        let redactor = Redactor(secrets: [])
        let fields = fields.map { ShownField.line($0, redactor) }
        return "\(method.rawValue) \(url.redacted) [\(fields.joined(separator: ", "))] \(size)"
    }

    private var size: String {
        guard let upload else { return "\(body?.count ?? 0) bytes" }
        return upload.length.map { "\($0) bytes" } ?? "a stream"
    }

    /// The parts that the description shows.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension TransportRequest {
    /// The content codings that the libcurl transport requests and decodes, as the value of `Accept-Encoding`.
    package static let contentCodings = "gzip, deflate"
}

/// The delivery of a response body.
public enum ResponseBodyMode: Hashable, Sendable {
    /// The whole body in memory. A body with more decoded bytes than this fails with ``Ceiling/bodyBytes``.
    case collect(upTo: Int)

    /// A stream with back-pressure: the response is returned as soon as its head has arrived.
    case stream
}

/// The HTTP versions that a transfer may use.
public struct HTTPVersionPolicy: Hashable, Sendable {
    package enum Choice: Hashable, Sendable { case automatic, http1, http2PriorKnowledge }

    package let choice: Choice

    /// HTTP/2 if TLS negotiates it (ALPN), otherwise HTTP/1.1. The default.
    public static let automatic = Self(choice: .automatic)

    /// HTTP/1.1 only. Use it for long streams and media: with one connection per transfer, back-pressure affects only
    /// that transfer.
    public static let http1 = Self(choice: .http1)

    /// HTTP/2 without negotiation in clear text (RFC 9113 §3.3), for servers that are known to support it.
    ///
    /// The first request to an origin opens a connection. Further requests wait for it in phase `queue` and then share
    /// it. Another connection is opened when it accepts no more requests. These connections are never shared with
    /// requests of another policy. Over `https`, HTTP/2 is negotiated (RFC 9113 §3.2), as with ``automatic``.
    public static let http2PriorKnowledge = Self(choice: .http2PriorKnowledge)
}
