internal import HeliumCore
internal import HeliumJSON

/// What a request of the live socket asks for (§14.2).
public struct SocketMethod: RawRepresentable, Hashable, Sendable {
    /// The method's name, in lower case.
    public let rawValue: String

    /// A method by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a document.
    public static let get = Self(rawValue: "get")
    /// Changes a document.
    public static let put = Self(rawValue: "put")
    /// Creates a document.
    public static let post = Self(rawValue: "post")
    /// Deletes a document.
    public static let delete = Self(rawValue: "delete")

    static let subscribe = Self(rawValue: "subscribe")
    static let unsubscribe = Self(rawValue: "unsubscribe")
}

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
