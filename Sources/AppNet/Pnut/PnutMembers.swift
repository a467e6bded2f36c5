package import HeliumJSON

/// A value whose JSON form on pnut.io may have different members.
package protocol PnutTranslated: SendableMetatype {
    /// Returns the form of a value in the other dialect. A list is translated element by element. Values that are not
    /// objects are returned unchanged.
    ///
    /// - Throws: ``UntranslatableMember`` if the other dialect has no equivalent.
    static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue
}

/// The direction of a translation.
package enum PnutDirection: Sendable {
    case toPnut
    case toAppNet
}

/// The error of a member that has no equivalent in the other dialect.
package struct UntranslatableMember: Error, Hashable, Sendable, CustomStringConvertible {
    /// The member's name.
    package let name: String

    /// The reason.
    package let reason: String

    package var description: String { "\(name): \(reason)" }
}

/// Translations between the members of App.net's objects and those of pnut.io's (Docs/Protocols/AppNet.md §6.3).
///
/// Members that only pnut.io has keep their names. Members that only App.net has are removed in the translation to
/// pnut.io, unless they have a value that cannot be expressed there.
package enum PnutMembers {
    /// Returns App.net's form of an object, list of objects, or event of pnut.io.
    ///
    /// - Throws: ``UntranslatableMember`` for a member with an unexpected shape.
    package static func appNetForm(of value: JSONValue, as type: any PnutTranslated.Type) throws -> JSONValue {
        try type.translate(value, .toAppNet)
    }

    /// Returns pnut.io's form of an object, or list of objects, of App.net.
    ///
    /// - Throws: ``UntranslatableMember`` for values without an equivalent on pnut.io, such as machine-only text and
    ///   replacement values other than files.
    package static func pnutForm(of value: JSONValue, as type: any PnutTranslated.Type) throws -> JSONValue {
        try type.translate(value, .toPnut)
    }

    /// Returns pnut.io's form of a request body, which has the text of a message or post outside `content` too.
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

// MARK: Translated types

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
