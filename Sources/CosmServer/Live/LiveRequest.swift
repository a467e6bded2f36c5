internal import HeliumJSON
internal import HeliumServerKit

/// A frame from a client (Docs/Protocols/Cosm.md §14.2).
struct LiveRequest: Hashable, Sendable {
    enum Method: String, Hashable, Sendable {
        case subscribe, unsubscribe, get, put, post, delete
    }

    var method: Method
    /// The resource in the client's spelling, which pushes and replies repeat.
    var resource: String
    /// The encoded path below the API's root, without the query.
    var path: Substring
    var parameters: FormFields
    var key: String?
    var body: JSONValue?
    var token: String?
}

extension LiveRequest {
    /// The error for a frame that is not a valid request, with the members that could be read.
    struct Refusal: Error, Hashable, Sendable {
        var token: String?
        var resource: String?
        let reason: String
    }

    /// Parses a frame.
    ///
    /// - Parameter prefix: The path of the API, with which a resource may begin.
    static func parse(_ bytes: [UInt8], prefix: String) throws(Refusal) -> Self {
        guard let value = try? JSONValue(parsing: bytes, limits: JSONFields.limits),
            case .object(let object) = value
        else { throw Refusal(reason: "Syntax Error: the frame is not a JSON object") }
        // Tokens are texts. A number is echoed as a text.
        let token = object["token"].flatMap { $0.stringValue ?? $0.numberValue?.description }
        let resource = object["resource"]?.stringValue
        // Both are stored with a subscription and sent with each push.
        guard token?.utf8.count ?? 0 <= 1024, resource?.utf8.count ?? 0 <= 8192 else {
            throw Refusal(reason: "Bad Request: resource or token is too long")
        }
        func refuse(_ reason: String) -> Refusal { Refusal(token: token, resource: resource, reason: reason) }
        if let fault = value.textFault { throw refuse("Bad Request: \(fault.reason)") }
        guard let method = object["method"]?.stringValue.flatMap({ Method(rawValue: $0.lowercased()) }) else {
            throw refuse("Bad Request: method is not one of subscribe, unsubscribe, get, put, post and delete")
        }
        guard let resource, !resource.isEmpty else { throw refuse("Bad Request: resource is missing") }
        let (path, query) = split(resource, prefix: prefix)
        var parameters = FormFields(query: query)
        // One client uses the longer name.
        for name in ["params", "parameters"] {
            for (name, value) in object[name]?.objectValue ?? [:] {
                if let text = text(value) { parameters[name] = text }
            }
        }
        var key: String?
        for (name, value) in object["headers"]?.objectValue ?? [:] {
            switch name.lowercased() {
            case "x-apikey": key = value.stringValue ?? key
            case "x-pachubeapikey": key = key ?? value.stringValue
            default: break
            }
        }
        let body = object["body"].flatMap { $0.isNull ? nil : $0 }
        return Self(
            method: method,
            resource: resource,
            path: path,
            parameters: parameters,
            key: key ?? parameters["key"],
            body: body,
            token: token
        )
    }

    private static func split(_ resource: String, prefix: String) -> (path: Substring, query: Substring) {
        var path = resource[...]
        var query: Substring = ""
        if let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = path[path.utf8.index(after: mark)...]
            path = path[..<mark]
        }
        path = path.drop { $0 == "/" }
        let root = prefix.dropFirst()
        if path.hasPrefix(root), path.dropFirst(root.count).first == "/" { path = path.dropFirst(root.count + 1) }
        return (path, query)
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.description
        case .bool(let bool): bool ? "true" : "false"
        default: nil
        }
    }
}
