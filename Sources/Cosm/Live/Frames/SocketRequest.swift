internal import HeliumCore
internal import HeliumJSON

/// The method of a request over the live socket (Docs/Protocols/Cosm.md §14.2).
public struct SocketMethod: RawRepresentable, Hashable, Sendable {
    /// The method's name, in lower case.
    public let rawValue: String

    /// Creates a method from its name.
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

/// A request frame (Docs/Protocols/Cosm.md §14.2).
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

    /// The text of the frame, on one line.
    func text() throws(CosmError) -> String {
        do {
            return try HeliumJSONEncoder().encodeToString(self)
        } catch {
            throw CosmError(.unencodable, "JSON can't represent the request's body")
        }
    }
}

/// The type of an absent request body.
struct NoBody: Encodable, Sendable {}
