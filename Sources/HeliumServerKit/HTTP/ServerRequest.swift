package import HTTPTypes
package import HeliumJSON

/// A complete request with its body, as the services receive it.
package struct ServerRequest: Sendable {
    package let method: HTTPRequest.Method
    /// The request target, verbatim.
    package let target: String
    /// The value of `Host`, or of `:authority` over HTTP/2.
    package let host: String
    /// The scheme of the server's own socket.
    package let socketScheme: String
    package let fields: HTTPFields
    package var body: [UInt8]
    /// The client's numeric address, without the port.
    package let address: String
    package var faults: ActiveFaults

    package init(
        method: HTTPRequest.Method,
        target: String,
        host: String,
        socketScheme: String,
        fields: HTTPFields,
        body: [UInt8] = [],
        address: String,
        faults: ActiveFaults = ActiveFaults()
    ) {
        self.method = method
        self.target = target
        self.host = host
        self.socketScheme = socketScheme
        self.fields = fields
        self.body = body
        self.address = address
        self.faults = faults
    }

    /// Whether the target or a header field has more than ``MarkRun/maximum`` combining marks in a row. Such a request
    /// must be rejected before any other check.
    package var holdsLongMarkRun: Bool { target.holdsLongMarkRun || fields.contains { $0.value.holdsLongMarkRun } }

    /// Whether the head announces a body. Over HTTP/2 a body does not need an announcement.
    package var hasBody: Bool {
        fields[.contentLength].map { $0 != "0" }
            ?? (fields[.transferEncoding] != nil || method != .get && method != .head)
    }

    /// The part of the target before `?`.
    package var path: Substring { Self.path(of: target) }

    /// Returns the part of a target before `?`.
    package static func path(of target: String) -> Substring { target[..<queryMark(in: target)] }

    /// The part of the target after `?`, not decoded; empty if there is no query.
    package var queryText: Substring { Substring(target.utf8[Self.queryMark(in: target)...].dropFirst()) }

    private static func queryMark(in target: String) -> String.Index {
        target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    }

    /// The complete value of `X-Forwarded-Proto` if it was sent, otherwise the socket's own scheme
    /// (Docs/Protocols/Middleware.md §1.2).
    package var scheme: String { fields[.forwardedProtocol] ?? socketScheme }

    /// The decoded parameters of the query. Values of a repeated parameter become an array. `nil` if a name or a value
    /// has more than ``MarkRun/maximum`` combining marks in a row.
    package var query: [ByteText: JSONValue]? {
        var values: [ByteText: [String]] = [:]
        for (name, value) in FormText.pairs(of: queryText) {
            guard !name.holdsLongMarkRun, !value.holdsLongMarkRun else { return nil }
            values[name, default: []].append(value)
        }
        return values.mapValues { $0.count == 1 ? .string($0[0]) : .array($0.map(JSONValue.string)) }
    }
}

extension HTTPField.Name {
    package static let forwardedProtocol = Self.known("X-Forwarded-Proto")
    package static let key = Self.known("key")
    package static let timestamp = Self.known("timestamp")

    /// Creates a name from a literal in the source. Traps if the name is invalid.
    package static func known(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("not a field name: \(name)") }
        return name
    }
}
