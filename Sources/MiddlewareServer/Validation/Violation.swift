internal import HeliumJSON

/// A violated rule of a parameter, as an element of `errors` (Docs/Protocols/Middleware.md §5.1 and §5.3).
struct Violation: Error, Hashable, Sendable {
    var code: String
    var id: String
    var section: ParameterSection
    var message: String

    var document: JSONValue {
        [
            "code": .string(code), "id": .string(id), "msg": .string(message), "in": .string(section.rawValue),
        ]
    }
}

/// The part of a request that contains a parameter.
enum ParameterSection: String, CaseIterable, Sendable {
    case header, query, body, path
}
