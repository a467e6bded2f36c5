internal import Foundation
package import HeliumJSON

extension SyncFragment {
    /// Reads a fragment from JSON; `nil` if a member is missing or of the wrong kind
    /// (Docs/Protocols/Jetstream.md §2.1).
    package init?(json: JSONValue) {
        guard let kind = json["type"]?.stringValue.flatMap(Kind.init(asciiValue:)),
            let uuid = json["uuid"]?.stringValue.flatMap(UUID.init(wireText:)),
            let className = json["clsName"]?.stringValue
        else { return nil }
        switch json["properties"] {
        case nil, .null?: self.init(kind, uuid: uuid, className: className)
        case .object(let properties)?: self.init(kind, uuid: uuid, className: className, properties: properties)
        default: return nil
        }
    }

    /// The name of the first property whose value a server drops unread: an object, a nested array, or an array of
    /// values of several kinds (Docs/Protocols/Jetstream.md §1.9). `nil` if all values can be sent.
    package var unsendableProperty: String? {
        for (name, value) in properties {
            switch value {
            case .null, .bool, .number, .string: continue
            case .object: return name
            case .array(let elements):
                if !Self.areOfOneScalarKind(elements) { return name }
            }
        }
        return nil
    }

    private static func areOfOneScalarKind(_ elements: [JSONValue]) -> Bool {
        switch elements.first {
        case nil: true
        case .string?: elements.allSatisfy { if case .string = $0 { true } else { false } }
        case .number?: elements.allSatisfy { if case .number = $0 { true } else { false } }
        case .bool?: elements.allSatisfy { if case .bool = $0 { true } else { false } }
        case .null?, .array?, .object?: false
        }
    }
}
