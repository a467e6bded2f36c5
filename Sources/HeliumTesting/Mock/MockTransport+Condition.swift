public import Foundation
public import HTTPTypes
public import HeliumCore

extension MockTransport {
    /// A condition that a request must meet, besides its method and path, for a route to match.
    public struct Condition: Sendable, CustomStringConvertible {
        /// The condition in words. Failure messages contain it.
        public let description: String

        let holds: @Sendable (TransportRequest) -> Bool

        /// Creates a condition from your own closure. `description` completes the sentence "it has not …".
        public static func custom(
            _ description: String,
            _ holds: @escaping @Sendable (TransportRequest) -> Bool
        ) -> Self {
            Self(description: description, holds: holds)
        }
    }
}

extension MockTransport.Condition {
    /// Requires a query parameter with this name, and with this value if one is given. Failure messages do not contain
    /// the value if the name indicates a secret, such as `access_token` or `key`.
    public static func query(_ name: String, _ value: String? = nil) -> Self {
        let pair = value.map { SecretScrubber().target("?\(name)=\($0)", masksAllValues: false).dropFirst() }
        return custom("the query parameter \(pair ?? name[...])") { request in
            request.queryItems.contains { $0.name == name && (value == nil || $0.value == value) }
        }
    }

    /// Requires a header field with this name, and with this value if one is given. Failure messages do not contain the
    /// values of credentials, and neither the queries nor the keys in URLs.
    public static func field(_ name: HTTPField.Name, _ value: String? = nil) -> Self {
        let line = value.map { ShownField.line(HTTPField(name: name, value: $0), Redactor(secrets: [])) }
        return custom("the field \(line ?? name.rawName)") { request in
            request.fields[fields: name].contains { value == nil || $0.value == value }
        }
    }

    /// Requires a JSON body equal to this JSON text. The order of members and white space are ignored.
    public static func json(_ text: String) -> Self { json(bytes: Data(text.utf8)) }

    /// Requires a JSON body equal to these bytes of JSON. The order of members and white space are ignored.
    public static func json(bytes data: Data) -> Self {
        parsing(data, "the expected JSON body") { $0 == $1 }
    }

    /// Requires a JSON body equal to the encoding of `value`. The order of members and white space are ignored.
    public static func json(encoding value: some Encodable & Sendable) -> Self { json(bytes: encoded(value)) }

    /// Requires a JSON object that has at least the members of this JSON text. Nested objects may also have additional
    /// members.
    public static func jsonMembers(_ text: String) -> Self { jsonMembers(bytes: Data(text.utf8)) }

    /// Requires a JSON object that has at least the members of these bytes of JSON. Nested objects may also have
    /// additional members.
    public static func jsonMembers(bytes data: Data) -> Self {
        parsing(data, "the expected JSON members") { $0.includes($1) }
    }

    /// Requires a JSON object that has at least the members of `value`. Nested objects may also have additional
    /// members.
    public static func jsonMembers(encoding value: some Encodable & Sendable) -> Self {
        jsonMembers(bytes: encoded(value))
    }

    /// Requires this text as the body.
    public static func body(_ text: String) -> Self { custom("the expected body") { $0.body == Data(text.utf8) } }

    /// Creates a condition on a JSON body. If `data` is not JSON, the condition is never met and its description says
    /// so.
    private static func parsing(
        _ data: Data,
        _ description: String,
        holds: @escaping @Sendable (_ body: JSONValue, _ wanted: JSONValue) -> Bool
    ) -> Self {
        guard let wanted = try? JSONValue(parsing: data) else {
            return custom("\(description), which is not valid JSON") { _ in false }
        }
        return custom(description) { request in
            request.body.flatMap { try? JSONValue(parsing: $0) }.map { holds($0, wanted) } ?? false
        }
    }

    /// Returns the encoding of `value`; empty data, which is not JSON, if the value cannot be encoded.
    private static func encoded(_ value: some Encodable) -> Data {
        (try? HeliumJSONEncoder.bodies.encode(value)) ?? Data()
    }
}
