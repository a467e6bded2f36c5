package import HeliumJSON

/// A value whose JSON has other members on pnut.io, or the same.
package protocol PnutTranslated: SendableMetatype {
    /// One dialect's form of a value, made of the other's. A list is translated element by element; what is no object stays.
    ///
    /// - Throws: ``UntranslatableMember``.
    static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue
}

/// The direction of a translation.
package enum PnutDirection: Sendable {
    case toPnut
    case toAppNet
}

/// A member that the other dialect has no place for.
package struct UntranslatableMember: Error, Hashable, Sendable, CustomStringConvertible {
    /// The member's name.
    package let name: String

    /// Why.
    package let reason: String

    package var description: String { "\(name): \(reason)" }
}

/// The members of pnut.io's objects and those of App.net's, made of one another (AppNet.md §6.3).
///
/// What only pnut.io has keeps its name; what only App.net has is left out on the way to pnut.io, unless it says something that
/// can't be said there.
package enum PnutMembers {
    /// App.net's form of pnut.io's object, list of objects, or event.
    ///
    /// - Throws: ``UntranslatableMember`` for a member that has another shape than it must have.
    package static func appNetForm(of value: JSONValue, as type: any PnutTranslated.Type) throws -> JSONValue {
        try type.translate(value, .toAppNet)
    }

    /// Pnut.io's form of App.net's object, or list of objects.
    ///
    /// - Throws: ``UntranslatableMember`` for what pnut.io has no place for: text that only machines read, other replacement
    ///   values than files.
    package static func pnutForm(of value: JSONValue, as type: any PnutTranslated.Type) throws -> JSONValue {
        try type.translate(value, .toPnut)
    }

    /// The same for the body of a request: pnut.io takes the text of a message or post beside `content`.
    ///
    /// - Throws: ``UntranslatableMember`` as from ``pnutForm(of:as:)``.
    package static func pnutRequest(of value: JSONValue, as type: any PnutTranslated.Type) throws -> JSONValue {
        let form = try pnutForm(of: value, as: type)
        guard let record = type as? any AppNetRecord.Type, case .object(var object) = form,
            let content = object["content"]?.objectValue
        else { return form }
        for case .nest(let members, in: "content") in record.pnutSteps {
            for name in members.map(\.pnut) where ["text", "entities"].contains(name) && object[name] == nil {
                object[name] = content[name]
            }
        }
        return .object(object)
    }
}

// MARK: What is translated

extension AppNetRecord {
    package static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue {
        switch value {
        case .object(var object):
            switch direction {
            case .toPnut: for step in pnutSteps { try step.apply(to: &object, direction) }
            case .toAppNet: for step in pnutSteps.reversed() { try step.apply(to: &object, direction) }
            }
            return .object(object)
        case .array(let elements): return .array(try elements.map { try translate($0, direction) })
        default: return value
        }
    }
}

extension Array: PnutTranslated where Element: PnutTranslated {
    package static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue {
        try Element.translate(value, direction)
    }
}

extension Dictionary: PnutTranslated where Key == String, Value: PnutTranslated {
    package static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue {
        guard case .object(let object) = value else { return value }
        return .object(JSONObject(try object.map { ($0.name, try Value.translate($0.value, direction)) }))
    }
}

/// A value that is the same in both dialects.
package protocol SameOnPnut: PnutTranslated {}

extension SameOnPnut {
    package static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue { value }
}

extension Int: SameOnPnut {}
extension String: SameOnPnut {}
extension JSONValue: SameOnPnut {}
