internal import HTTPTypes
internal import HeliumJSON

/// A request as the services see it: whole, with its body read.
struct ServerRequest: Sendable {
    let method: HTTPRequest.Method
    /// The target of the request line, verbatim.
    let target: String
    /// `Host`, or `:authority` over HTTP/2.
    let host: String
    /// The scheme of the server's own socket.
    let socketScheme: String
    let fields: HTTPFields
    var body: [UInt8]
    /// The client's address in numbers, without the port.
    let address: String
    var faults: ActiveFaults

    /// Whether the target or a header field has more than ``MarkRun/maximum`` combining marks in a row. Nothing else may
    /// look at such a request.
    var holdsLongMarkRun: Bool { target.holdsLongMarkRun || fields.contains { $0.value.holdsLongMarkRun } }

    /// Whether the head announces a body. Over HTTP/2 a body needs no announcement.
    var hasBody: Bool {
        fields[.contentLength].map { $0 != "0" }
            ?? (fields[.transferEncoding] != nil || method != .get && method != .head)
    }

    /// The part of the target before `?`.
    var path: Substring { Self.path(of: target) }

    /// The part of a target before `?`.
    static func path(of target: String) -> Substring { target[..<queryMark(in: target)] }

    /// The part of the target behind `?`, as encoded; empty if there is none.
    var queryText: Substring { target[Self.queryMark(in: target)...].dropFirst() }

    private static func queryMark(in target: String) -> String.Index {
        target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    }

    /// `X-Forwarded-Proto` whole where it was sent, else the socket's own scheme (§1.2).
    var scheme: String { fields[.forwardedProtocol] ?? socketScheme }

    /// The query's parameters, decoded; one that occurs more than once becomes an array. `nil` if a name or a value has
    /// more than ``MarkRun/maximum`` combining marks in a row.
    var query: [ByteText: JSONValue]? {
        var values: [ByteText: [String]] = [:]
        for (name, value) in FormText.pairs(of: queryText) {
            guard !name.holdsLongMarkRun, !value.holdsLongMarkRun else { return nil }
            values[name, default: []].append(value)
        }
        return values.mapValues { $0.count == 1 ? .string($0[0]) : .array($0.map(JSONValue.string)) }
    }
}

extension HTTPField.Name {
    static let forwardedProtocol = Self.known("X-Forwarded-Proto")
    static let key = Self.known("key")
    static let timestamp = Self.known("timestamp")

    /// For names that are spelt in this source and therefore valid.
    static func known(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("not a field name: \(name)") }
        return name
    }
}
