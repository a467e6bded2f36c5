internal import HeliumJSON

/// The creation of an object or a change of its properties, sent by a client (Docs/Protocols/Jetstream.md §2.1).
package struct Fragment: Hashable, Sendable {
    let isAdd: Bool
    let id: ObjectID
    var className: String
    var properties: JSONObject

    /// The fragment on the wire, with its identifier in lower case.
    var value: JSONValue {
        [
            "type": isAdd ? "add" : "change", "uuid": .string(id.text), "clsName": .string(className),
            "properties": .object(properties),
        ]
    }
}

/// The name of a procedure: `Class.procedure`.
package struct ProcedureName: Hashable, Sendable {
    let className: String
    let name: String

    /// Parses a name; `nil` unless the text has exactly one dot.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        className = String(decoding: parts[0], as: UTF8.self)
        name = String(decoding: parts[1], as: UTF8.self)
    }
}
