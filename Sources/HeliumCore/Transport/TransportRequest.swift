public import HTTPTypes
public import HeliumEssentials

/// A request as a transport sends it: complete, validated and authorized.
///
/// A copy shares the values of the original until one of them is changed.
public struct TransportRequest: Sendable {
    /// A request has 350 bytes, of which every step of a call would keep a copy in its frame.
    @usableFromInline var values: Values

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
        values = Values(
            method: method,
            url: url,
            fields: fields,
            body: body,
            upload: upload,
            timeouts: timeouts,
            limits: limits,
            responseBody: responseBody,
            version: version,
            acceptsContentCodings: true
        )
    }

    /// The method, exactly as it is sent.
    public var method: HTTPRequest.Method {
        @inlinable _read { yield values.method }
        @inlinable _modify {
            separate()
            yield &values.method
        }
    }

    /// The URL, exactly as it is sent.
    public var url: RequestURL {
        @inlinable _read { yield values.url }
        @inlinable _modify {
            separate()
            yield &values.url
        }
    }

    /// All fields that are sent, except `Host`, `Content-Length` and `Accept-Encoding`, which the transport adds.
    public var fields: HTTPFields {
        @inlinable _read { yield values.fields }
        @inlinable _modify {
            separate()
            yield &values.fields
        }
    }

    /// The body's bytes; `nil` sends none. An empty body sends `Content-Length: 0`, and so does `nil` with the methods
    /// POST, PUT and PATCH (RFC 9110 §8.6): some servers reject such a request without a length, with status 411.
    public var body: Data? {
        @inlinable _read { yield values.body }
        @inlinable _modify {
            separate()
            yield &values.body
        }
    }

    /// A body that is read while it is sent. It replaces ``body``, which is `nil` then.
    public var upload: UploadBody? {
        @inlinable _read { yield values.upload }
        @inlinable _modify {
            separate()
            yield &values.upload
        }
    }

    /// The time limits of this transfer, counted from its start.
    public var timeouts: PhaseTimeouts {
        @inlinable _read { yield values.timeouts }
        @inlinable _modify {
            separate()
            yield &values.timeouts
        }
    }

    /// The limits on the response.
    public var limits: ResponseLimits {
        @inlinable _read { yield values.limits }
        @inlinable _modify {
            separate()
            yield &values.limits
        }
    }

    /// The delivery of the response body.
    public var responseBody: ResponseBodyMode {
        @inlinable _read { yield values.responseBody }
        @inlinable _modify {
            separate()
            yield &values.responseBody
        }
    }

    /// The HTTP versions that may be used.
    public var version: HTTPVersionPolicy {
        @inlinable _read { yield values.version }
        @inlinable _modify {
            separate()
            yield &values.version
        }
    }

    /// Whether the response body may be compressed. `false` requests it uncompressed (`Accept-Encoding: identity`),
    /// which streams use and ranges of a file require. Default: `true`.
    public var acceptsContentCodings: Bool {
        @inlinable _read { yield values.acceptsContentCodings }
        @inlinable _modify {
            separate()
            yield &values.acceptsContentCodings
        }
    }

    @usableFromInline mutating func separate() {
        if !isKnownUniquelyReferenced(&values) { values = Values(values) }
    }
}

extension TransportRequest {
    /// The values of a request, which its copies share.
    ///
    /// `@unchecked`: they change only while one request alone refers to them. Swift checks each access to that request for
    /// exclusivity, and need not check those to its values again.
    @usableFromInline final class Values: @unchecked Sendable {
        @usableFromInline @exclusivity(unchecked) var method: HTTPRequest.Method
        @usableFromInline @exclusivity(unchecked) var url: RequestURL
        @usableFromInline @exclusivity(unchecked) var fields: HTTPFields
        @usableFromInline @exclusivity(unchecked) var body: Data?
        @usableFromInline @exclusivity(unchecked) var upload: UploadBody?
        @usableFromInline @exclusivity(unchecked) var timeouts: PhaseTimeouts
        @usableFromInline @exclusivity(unchecked) var limits: ResponseLimits
        @usableFromInline @exclusivity(unchecked) var responseBody: ResponseBodyMode
        @usableFromInline @exclusivity(unchecked) var version: HTTPVersionPolicy
        @usableFromInline @exclusivity(unchecked) var acceptsContentCodings: Bool

        init(
            method: HTTPRequest.Method,
            url: RequestURL,
            fields: HTTPFields,
            body: Data?,
            upload: UploadBody?,
            timeouts: PhaseTimeouts,
            limits: ResponseLimits,
            responseBody: ResponseBodyMode,
            version: HTTPVersionPolicy,
            acceptsContentCodings: Bool
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
            self.acceptsContentCodings = acceptsContentCodings
        }

        convenience init(_ other: Values) {
            self.init(
                method: other.method,
                url: other.url,
                fields: other.fields,
                body: other.body,
                upload: other.upload,
                timeouts: other.timeouts,
                limits: other.limits,
                responseBody: other.responseBody,
                version: other.version,
                acceptsContentCodings: other.acceptsContentCodings
            )
        }
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
    /// The bytes that are sent as the body if there is no ``upload``: ``body``, or an empty body for a method whose
    /// requests state the length of their content even if they have none (RFC 9110 §8.6).
    package var sentBody: Data? { body ?? (upload == nil && method.definesContent ? Data() : nil) }

    /// The content codings that `CurlTransport` requests and decodes, as the value of `Accept-Encoding`.
    package static let contentCodings = "gzip, deflate"
}

extension HTTPRequest.Method {
    /// Whether the definition of the method gives the content of its requests a meaning (RFC 9110 §9.3, RFC 5789 §2).
    fileprivate var definesContent: Bool { self == .post || self == .put || self == .patch }
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

    /// HTTP/1.1 only. Use it for long streams and media: each transfer has a connection of its own, and delays no other
    /// call.
    public static let http1 = Self(choice: .http1)

    /// HTTP/2 without negotiation in clear text (RFC 9113 §3.3), for servers that are known to support it.
    ///
    /// The first request to an origin opens a connection. Further requests wait for it in phase `queue` and then share
    /// it. Another connection is opened when it accepts no more requests. These connections are never shared with
    /// requests of another policy. Over `https`, HTTP/2 is negotiated (RFC 9113 §3.2), as with ``automatic``.
    public static let http2PriorKnowledge = Self(choice: .http2PriorKnowledge)
}
