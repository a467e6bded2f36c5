public import Foundation
public import HTTPTypes
public import HeliumCore

extension MockTransport {
    /// What must be true of a request, besides its method and path, for a route to fit.
    public struct Condition: Sendable, CustomStringConvertible {
        /// What is asked for, in words: as failures name it.
        public let description: String

        let holds: @Sendable (TransportRequest) -> Bool

        /// A condition of your own; `description` completes "it has not …".
        public static func custom(
            _ description: String,
            _ holds: @escaping @Sendable (TransportRequest) -> Bool
        ) -> Self {
            Self(description: description, holds: holds)
        }
    }
}

extension MockTransport.Condition {
    /// The query has this parameter, with this value where one is given.
    public static func query(_ name: String, _ value: String? = nil) -> Self {
        custom("the query parameter \(name)\(value.map { "=\($0)" } ?? "")") { request in
            request.queryItems.contains { $0.name == name && (value == nil || $0.value == value) }
        }
    }

    /// There is such a field, with this value where one is given.
    public static func field(_ name: HTTPField.Name, _ value: String? = nil) -> Self {
        let shown = value.map { SensitiveFields.contains(name) ? ": \(Redactor.mask)" : ": \($0)" } ?? ""
        return custom("the field \(name.rawName)\(shown)") { request in
            request.fields[fields: name].contains { value == nil || $0.value == value }
        }
    }

    /// The body is JSON equal to this JSON text; neither the order of members nor white space counts.
    public static func json(_ text: String) -> Self { json(bytes: Data(text.utf8)) }

    /// The body is JSON equal to these bytes of JSON; neither the order of members nor white space counts.
    public static func json(bytes data: Data) -> Self {
        parsing(data, "the JSON body asked for") { $0 == $1 }
    }

    /// The body is JSON equal to the encoding of `value`; neither the order of members nor white space counts.
    public static func json(encoding value: some Encodable & Sendable) -> Self { json(bytes: encoded(value)) }

    /// The body is a JSON object that has at least the members of this JSON text; the members of members may be more, too.
    public static func jsonMembers(_ text: String) -> Self { jsonMembers(bytes: Data(text.utf8)) }

    /// The body is a JSON object that has at least the members of these bytes of JSON; the members of members may be more, too.
    public static func jsonMembers(bytes data: Data) -> Self {
        parsing(data, "the JSON members asked for") { $0.includes($1) }
    }

    /// The body is a JSON object that has at least the members of `value`; the members of members may be more, too.
    public static func jsonMembers(encoding value: some Encodable & Sendable) -> Self {
        jsonMembers(bytes: encoded(value))
    }

    /// The body is this text.
    public static func body(_ text: String) -> Self { custom("the body asked for") { $0.body == Data(text.utf8) } }

    /// A condition on a body of JSON. It never holds if `data` is not JSON; its description says so then.
    private static func parsing(
        _ data: Data,
        _ description: String,
        holds: @escaping @Sendable (_ body: JSONValue, _ wanted: JSONValue) -> Bool
    ) -> Self {
        guard let wanted = try? JSONValue(parsing: data) else {
            return custom("\(description), which is not JSON itself") { _ in false }
        }
        return custom(description) { request in
            request.body.flatMap { try? JSONValue(parsing: $0) }.map { holds($0, wanted) } ?? false
        }
    }

    /// Nothing, which is not JSON, for a value that can't be encoded.
    private static func encoded(_ value: some Encodable) -> Data {
        (try? HeliumJSONEncoder.bodies.encode(value)) ?? Data()
    }
}
