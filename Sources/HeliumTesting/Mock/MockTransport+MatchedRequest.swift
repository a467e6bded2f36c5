internal import Foundation
public import HeliumCore

extension MockTransport {
    /// A request together with what its route's pattern found in its path. The request's own properties are there too.
    @dynamicMemberLookup
    public struct MatchedRequest: Sendable {
        /// The request.
        public let request: TransportRequest

        /// The segments that stand in the path where the pattern has `:name`, decoded; what stands for `*` as it came.
        public let parameters: [String: String]

        /// A property of the request.
        public subscript<Value>(dynamicMember path: KeyPath<TransportRequest, Value>) -> Value {
            request[keyPath: path]
        }

        /// The segment for `:name`; empty if the pattern has no such name.
        public subscript(name: String) -> String { parameters[name] ?? "" }
    }
}

extension TransportRequest {
    /// The target's path, as it is sent.
    public var path: String { String(url.target.prefix { $0 != "?" }) }

    /// The target's query, decoded, in its order; a name without `=` has an empty value.
    public var queryItems: [(name: String, value: String)] {
        guard let mark = url.target.firstIndex(of: "?") else { return [] }
        return url.target[url.target.index(after: mark)...].split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { String($0).removingPercentEncoding ?? String($0) }
            return (decoded[0], decoded.count > 1 ? decoded[1] : "")
        }
    }

    /// The body as text; empty if there is none.
    public var bodyText: String { String(decoding: body ?? Data(), as: UTF8.self) }

    /// The body read as JSON.
    ///
    /// - Throws: `DecodingError`, also where there is no body.
    public func bodyJSON<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try HeliumJSONDecoder().decode(type, from: body ?? Data())
    }
}
