internal import Foundation
package import HeliumJSON

extension SyncFragment {
    /// The fragment as JSON: identifiers in lower case, `properties` always present (Docs/Protocols/Jetstream.md §1.9).
    package var json: JSONValue {
        .object(
            JSONObject(distinct: [
                ("type", .string(kind.rawValue)), ("uuid", .string(uuid.wireText)), ("clsName", .string(className)),
                ("properties", .object(properties)),
            ])
        )
    }
}

extension ErrorObject {
    /// The error as JSON.
    package var json: JSONValue {
        var object: JSONObject = ["message": .string(message)]
        if let type { object["type"] = .string(type) }
        return .object(object)
    }
}

extension FragmentReply {
    /// The reply as JSON: an empty object for a fragment that was accepted without modifications.
    package var json: JSONValue {
        var object = JSONObject()
        if let error { object["error"] = error.json }
        if !modifications.isEmpty { object["modifications"] = .object(modifications) }
        return .object(object)
    }
}
