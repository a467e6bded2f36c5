internal import HTTPTypes

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
    let body: [UInt8]
    /// The client's address in numbers, without the port.
    let address: String
    let faults: ActiveFaults

    /// The part of the target before `?`.
    var path: Substring { target.prefix { $0 != "?" } }

    /// `X-Forwarded-Proto` whole where it was sent, else the socket's own scheme (§1.2).
    var scheme: String { fields[.forwardedProtocol] ?? socketScheme }

    /// The query's parameters, decoded; one that occurs more than once becomes an array.
    var query: [String: JSONTree] {
        var values: [String: JSONTree] = [:]
        guard let mark = target.firstIndex(of: "?") else { return values }
        for pair in target[target.index(after: mark)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map(PercentEncoding.decodedFormText) else { continue }
            let value = JSONTree.string(parts.count == 2 ? PercentEncoding.decodedFormText(parts[1]) : "")
            switch values[name] {
            case nil: values[name] = value
            case .array(let earlier): values[name] = .array(earlier + [value])
            case .some(let first): values[name] = .array([first, value])
            }
        }
        return values
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
