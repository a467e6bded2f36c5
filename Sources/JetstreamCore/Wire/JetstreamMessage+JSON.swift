internal import Foundation
package import HeliumJSON

extension JetstreamMessage {
    /// The message as JSON. An unusable message has only its type and index.
    package var json: JSONValue {
        switch self {
        case .sessionCreate(let message):
            Self.json(
                "SessionCreate",
                0,
                [("params", .object(message.parameters)), ("version", .string(message.version))]
            )
        case .sessionCreateReply(let message):
            Self.json(
                "SessionCreateReply",
                message.index,
                [
                    ("sessionToken", message.sessionToken.map(JSONValue.string)),
                    ("error", message.error?.json),
                ]
            )
        case .scopeFetch(let message):
            Self.json(
                "ScopeFetch",
                message.index,
                [("name", .string(message.name)), ("params", .object(message.parameters))]
            )
        case .scopeFetchReply(let message):
            Self.json(
                "ScopeFetchReply",
                message.index,
                [
                    ("replyTo", Self.number(message.replyTo)),
                    ("scopeIndex", message.scopeIndex.map(Self.number)),
                    ("error", message.error?.json),
                ]
            )
        case .scopeState(let message):
            Self.json(
                "ScopeState",
                message.index,
                [
                    ("scopeIndex", Self.number(message.scopeIndex)),
                    ("rootUUID", .string(message.rootUUID.wireText)),
                    ("fragments", .array(message.fragments.map(\.json))),
                ]
            )
        case .scopeSync(let message): message.json
        case .scopeSyncReply(let message):
            Self.json(
                "ScopeSyncReply",
                message.index,
                [
                    ("replyTo", Self.number(message.replyTo)),
                    ("fragmentReplies", .array(message.fragmentReplies.map(\.json))),
                ]
            )
        case .ping(let message):
            Self.json(
                "Ping",
                0,
                [("ack", Self.number(message.ack)), ("resendMissing", .bool(message.resendMissing))]
            )
        case .reply(let message): Self.json("Reply", message.index, [("replyTo", Self.number(message.replyTo))])
        case .unusable(let message): Self.json(message.type ?? "", message.index ?? 0, [])
        }
    }

    fileprivate static func json(_ type: String, _ index: Int, _ members: [(String, JSONValue?)]) -> JSONValue {
        var object: JSONObject = ["type": .string(type), "index": number(index)]
        for (name, value) in members {
            if let value { object[name] = value }
        }
        return .object(object)
    }

    fileprivate static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}

extension JetstreamMessage.ScopeSync {
    /// `atomic` is written when it is true, and beside a procedure, of which the server asks for its presence
    /// (Jetstream.md §1.3).
    fileprivate var json: JSONValue {
        JetstreamMessage.json(
            "ScopeSync",
            index,
            [
                ("scopeIndex", JetstreamMessage.number(scopeIndex)),
                ("fragments", .array(fragments.map(\.json))),
                ("atomic", isAtomic || procedure != nil ? .bool(true) : nil),
                ("procedure", procedure.map(JSONValue.string)),
            ]
        )
    }
}

extension SyncFragment {
    /// The fragment as JSON: identifiers in lower case, `properties` always present (Docs/Protocols/Jetstream.md §1.9).
    package var json: JSONValue {
        .object([
            "type": .string(kind.rawValue),
            "uuid": .string(uuid.wireText),
            "clsName": .string(className),
            "properties": .object(properties),
        ])
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
    /// The reply as JSON: an empty object for a fragment that was accepted as it was sent.
    package var json: JSONValue {
        var object = JSONObject()
        if let error { object["error"] = error.json }
        if !modifications.isEmpty { object["modifications"] = .object(modifications) }
        return .object(object)
    }
}
