internal import Foundation
public import HeliumCore

extension MockTransport {
    /// A request together with the path segments that its route's pattern matched. The properties of the request are
    /// available on this type too.
    @dynamicMemberLookup
    public struct MatchedRequest: Sendable {
        /// The request.
        public let request: TransportRequest

        /// The decoded path segments by the names in the pattern (`:name`). The value for `*` is the rest of the path,
        /// not decoded.
        public let parameters: [String: String]

        /// Returns a property of the request.
        public subscript<Value>(dynamicMember path: KeyPath<TransportRequest, Value>) -> Value {
            request[keyPath: path]
        }

        /// Returns the segment for `:name`; an empty string if the pattern does not have this name.
        public subscript(name: String) -> String { parameters[name] ?? "" }
    }
}

extension MockTransport.MatchedRequest: CustomStringConvertible, CustomReflectable {
    /// The description of the request. The values of the path are left out because they may be keys.
    public var description: String { request.description }

    /// A mirror with the request and the names of the parameters.
    public var customMirror: Mirror {
        Mirror(self, children: ["request": request, "parameters": parameters.keys.sorted()])
    }
}

extension TransportRequest {
    /// The path of the target, as it is sent.
    public var path: String { String(url.target.prefix { $0 != "?" }) }

    /// The decoded query parameters in their order. A name without `=` has an empty value.
    public var queryItems: [(name: String, value: String)] {
        guard let mark = url.target.firstIndex(of: "?") else { return [] }
        return url.target[url.target.index(after: mark)...].split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { String($0).removingPercentEncoding ?? String($0) }
            return (decoded[0], decoded.count > 1 ? decoded[1] : "")
        }
    }

    /// The body as text; empty if there is no body.
    public var bodyText: String { String(decoding: body ?? Data(), as: UTF8.self) }

    /// Decodes the body as JSON.
    ///
    /// - Throws: `DecodingError`, also if there is no body.
    public func bodyJSON<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try HeliumJSONDecoder().decode(type, from: body ?? Data())
    }
}
