package import HTTPTypes
package import HeliumJSON

/// A request as the services see it: whole, with its body read.
package struct ServerRequest: Sendable {
    package let method: HTTPRequest.Method
    /// The target of the request line, verbatim.
    package let target: String
    /// `Host`, or `:authority` over HTTP/2.
    package let host: String
    /// The scheme of the server's own socket.
    package let socketScheme: String
    package let fields: HTTPFields
    package var body: [UInt8]
    /// The client's address in numbers, without the port.
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

    /// Whether the target or a header field has more than ``MarkRun/maximum`` combining marks in a row. Nothing else may
    /// look at such a request.
    package var holdsLongMarkRun: Bool { target.holdsLongMarkRun || fields.contains { $0.value.holdsLongMarkRun } }

    /// Whether the head announces a body. Over HTTP/2 a body needs no announcement.
    package var hasBody: Bool {
        fields[.contentLength].map { $0 != "0" }
            ?? (fields[.transferEncoding] != nil || method != .get && method != .head)
    }

    /// The part of the target before `?`.
    package var path: Substring { Self.path(of: target) }

    /// The part of a target before `?`.
    package static func path(of target: String) -> Substring { target[..<queryMark(in: target)] }

    /// The part of the target behind `?`, as encoded; empty if there is none.
    package var queryText: Substring { target[Self.queryMark(in: target)...].dropFirst() }

    private static func queryMark(in target: String) -> String.Index {
        target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    }

    /// `X-Forwarded-Proto` whole where it was sent, else the socket's own scheme (§1.2).
    package var scheme: String { fields[.forwardedProtocol] ?? socketScheme }

    /// The query's parameters, decoded; one that occurs more than once becomes an array. `nil` if a name or a value has
    /// more than ``MarkRun/maximum`` combining marks in a row.
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

    /// For names that are spelt in this source and therefore valid.
    package static func known(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("not a field name: \(name)") }
        return name
    }
}
