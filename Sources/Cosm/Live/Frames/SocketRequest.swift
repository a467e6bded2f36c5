internal import HeliumCore
internal import HeliumJSON

/// A frame to the server (§14.2). Its key is not shown.
struct SocketRequest<Body: Encodable & Sendable>: Sendable {
    var method: SocketMethod
    var resource: String
    var key: Secret?
    var parameters: [String: String] = [:]
    var body: Body?
    var token: String
}

extension SocketRequest: Encodable {
    private enum Key: String, CodingKey { case method, resource, headers, params, body, token }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(method.rawValue, forKey: .method)
        try members.encode(resource, forKey: .resource)
        if let key { try members.encode(["X-ApiKey": key.value], forKey: .headers) }
        if !parameters.isEmpty { try members.encode(parameters, forKey: .params) }
        try members.encodeIfPresent(body, forKey: .body)
        try members.encode(token, forKey: .token)
    }

    /// The frame's text, on one line.
    func text() throws(CosmError) -> String {
        do {
            return try HeliumJSONEncoder().encodeToString(self)
        } catch {
            throw CosmError(.unencodable, "JSON can't hold the request's body")
        }
    }
}

/// The body of a request without one.
struct NoBody: Encodable, Sendable {}
