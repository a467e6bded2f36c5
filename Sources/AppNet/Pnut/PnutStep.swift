internal import HeliumJSON

/// One difference between the members of an object in the two dialects. Several steps are reversed in the opposite
/// order.
package enum PnutStep: Sendable {
    /// A member with another name.
    case rename(String, pnut: String)
    /// Members that are nested in another object on pnut.io.
    case nest([(name: String, pnut: String)], in: String)
    /// A member that holds an object or a list of objects.
    case part(String, any PnutTranslated.Type)
    /// The member names inside a member, some of which differ.
    case names(String, [(name: String, pnut: String)])
    /// A string from a closed list, or a list of such strings.
    case value(String, [(value: String, pnut: String)])
    /// An id that pnut.io replaces with another member.
    case identifier(String, pnut: String)
    /// A member that only App.net has.
    case appNetOnly(String)
    /// A Boolean that pnut.io cannot set, in the object or in one of its members.
    case unsettable(String, in: String? = nil, reason: String)
    /// A Boolean whose opposite pnut.io has, and only if that is `false`.
    case inverted(String, pnut: String)
    /// `annotations` and `raw`.
    case annotations
    /// The name of a type, such as a channel type.
    case typeName(String)
    /// The template for the object's own id in its links and annotations.
    case template(String)
    /// The limits of the configuration.
    case limits

    func apply(to object: inout JSONObject, _ direction: PnutDirection) throws {
        switch self {
        case .rename(let name, let pnut):
            direction == .toPnut ? object.rename(name, pnut) : object.rename(pnut, name)
        case .nest(let members, let holder):
            direction == .toPnut ? object.nest(members, in: holder) : object.flatten(members, from: holder)
        case .part(let name, let part):
            if let value = object[name] { object[name] = try part.translate(value, direction) }
        case .names(let name, let names):
            object.renameMembers(of: name, names, direction)
        case .value(let name, let values):
            func translated(_ value: JSONValue) -> JSONValue {
                let found = values.first { value == .string(direction == .toPnut ? $0.value : $0.pnut) }
                return found.map { .string(direction == .toPnut ? $0.pnut : $0.value) } ?? value
            }
            guard let value = object[name] else { return }
            object[name] = value.arrayValue.map { .array($0.map(translated)) } ?? translated(value)
        case .identifier(let name, let pnut):
            if direction == .toPnut {
                if object[name] == object[pnut] { object.removeValue(named: name) }
            } else if object[name] == nil {
                object[name] = object[pnut]
            }
        case .appNetOnly(let name):
            if direction == .toPnut { object.removeValue(named: name) }
        case .unsettable(let name, let holder?, let reason):
            guard case .object(var inner)? = object[holder] else { return }
            try PnutStep.unsettable(name, reason: reason).apply(to: &inner, direction)
            object[holder] = .object(inner)
        case .unsettable(let name, nil, let reason):
            guard direction == .toPnut, let value = object.removeValue(named: name) else { return }
            if value == true { throw UntranslatableMember(name: name, reason: reason) }
        case .inverted(let name, let pnut):
            let (from, to) = direction == .toPnut ? (name, pnut) : (pnut, name)
            guard let value = object.removeValue(named: from)?.boolValue else { return }
            if direction == .toAppNet || value { object[to] = .bool(!value) }
        case .annotations: try PnutRaw.translate(&object, direction)
        case .typeName(let name):
            guard case .string(let text)? = object[name] else { return }
            object[name] = .string(direction == .toPnut ? PnutTypes.pnutName(of: text) : PnutTypes.appNetName(of: text))
        case .template(let id): PnutTemplates(id, direction).apply(to: &object)
        case .limits: object.translateLimits(direction)
        }
    }
}

extension JSONObject {
    fileprivate mutating func rename(_ name: String, _ newName: String) {
        // A member that already has the new name belongs to the other dialect and is kept.
        guard let value = removeValue(named: name), self[newName] == nil else { return }
        self[newName] = value
    }

    fileprivate mutating func nest(_ members: [(name: String, pnut: String)], in holder: String) {
        var inner = self[holder]?.objectValue ?? JSONObject()
        for member in members {
            if let value = removeValue(named: member.name) { inner[member.pnut] = value }
        }
        if !inner.isEmpty { self[holder] = .object(inner) }
    }

    fileprivate mutating func flatten(_ members: [(name: String, pnut: String)], from holder: String) {
        guard case .object(var inner)? = self[holder] else { return }
        let wasEmpty = inner.isEmpty
        for member in members {
            if let value = inner.removeValue(named: member.pnut), self[member.name] == nil || member.name == holder {
                self[member.name] = value
            }
        }
        self[holder] = inner.isEmpty && !wasEmpty ? nil : .object(inner)
    }

    fileprivate mutating func renameMembers(
        of name: String,
        _ names: [(name: String, pnut: String)],
        _ direction: PnutDirection
    ) {
        guard case .object(let members)? = self[name] else { return }
        self[name] = .object(
            JSONObject(
                members.map { key, value in
                    let found = names.first { (direction == .toPnut ? $0.name : $0.pnut) == key }
                    return (found.map { direction == .toPnut ? $0.pnut : $0.name } ?? key, value)
                }
            )
        )
    }

    /// Translates the limits. pnut.io has one limit for all annotations, and other names.
    fileprivate mutating func translateLimits(_ direction: PnutDirection) {
        let kinds = ["user", "post", "message", "file", "channel"]
        for kind in kinds {
            guard case .object(var limits)? = self[kind] else { continue }
            if direction == .toPnut {
                limits.rename("text_max_length", "max_length")
                if let bytes = limits.removeValue(named: "annotation_max_bytes"), self["raw"] == nil {
                    self["raw"] = ["max_length": bytes]
                }
            } else {
                limits.rename("max_length", "text_max_length")
            }
            self[kind] = limits.isEmpty ? nil : .object(limits)
        }
        guard direction == .toAppNet, let bytes = self["raw"]?["max_length"] else { return }
        removeValue(named: "raw")
        for kind in kinds {
            var limits = self[kind]?.objectValue ?? JSONObject()
            limits["annotation_max_bytes"] = bytes
            self[kind] = .object(limits)
        }
    }
}
