internal import Foundation
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
    public static func header(_ name: HTTPField.Name, _ value: String? = nil) -> Self {
        let shown = value.map { SensitiveFields.contains(name) ? ": \(Redactor.mask)" : ": \($0)" } ?? ""
        return custom("the field \(name.rawName)\(shown)") { request in
            request.fields[fields: name].contains { value == nil || $0.value == value }
        }
    }

    /// The body is JSON equal to the encoding of `value`; neither the order of members nor white space counts.
    public static func json(_ value: some Encodable & Sendable) -> Self {
        let wanted = try? JSONValue(parsing: HeliumJSONEncoder.bodies.encode(value))
        return custom("the JSON body asked for") { request in
            wanted != nil && wanted == request.body.flatMap { try? JSONValue(parsing: $0) }
        }
    }

    /// The body is a JSON object that has at least these members; the members of members may be more, too.
    public static func jsonMembers(_ value: some Encodable & Sendable) -> Self {
        let wanted = try? JSONValue(parsing: HeliumJSONEncoder.bodies.encode(value))
        return custom("the JSON members asked for") { request in
            guard let wanted, let body = request.body.flatMap({ try? JSONValue(parsing: $0) }) else {
                return false
            }
            return body.includes(wanted)
        }
    }

    /// The body is this text.
    public static func body(_ text: String) -> Self { custom("the body asked for") { $0.body == Data(text.utf8) } }
}
