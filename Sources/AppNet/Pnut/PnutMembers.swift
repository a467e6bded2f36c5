package import HeliumJSON

/// The members of pnut.io's objects and those of App.net's, made of one another (§6.3).
///
/// What only pnut has keeps its name; what only App.net has is left out on the way to pnut, unless it says something that can't
/// be said there.
package enum PnutMembers {
    /// App.net's form of pnut's object, list of objects, or event.
    ///
    /// - Throws: ``UntranslatableMember`` for a member that has another shape than it must have.
    package static func appNetForm(of value: JSONValue, kind: ObjectKind) throws -> JSONValue {
        try translate(value, PnutPart(kind), .toAppNet)
    }

    /// Pnut's form of App.net's object, or list of objects.
    ///
    /// - Throws: ``UntranslatableMember`` for what pnut has no place for: text that only machines read, other replacement values
    ///   than files.
    package static func pnutForm(of value: JSONValue, kind: ObjectKind) throws -> JSONValue {
        try translate(value, PnutPart(kind), .toPnut)
    }

    /// The same for the body of a request: pnut takes the text of a message or post beside `content`.
    ///
    /// - Throws: ``UntranslatableMember`` as from ``pnutForm(of:kind:)``.
    package static func pnutRequest(of value: JSONValue, kind: ObjectKind) throws -> JSONValue {
        var form = try pnutForm(of: value, kind: kind)
        guard kind == .message || kind == .post || kind == .text, case .object(var object) = form,
            let content = object["content"]?.objectValue
        else { return form }
        for name in ["text", "entities"] where object[name] == nil { object[name] = content[name] }
        form = .object(object)
        return form
    }

    static func translate(_ value: JSONValue, _ part: PnutPart?, _ direction: PnutDirection) throws -> JSONValue {
        guard let part else { return value }
        switch value {
        case .object(var object):
            try translate(&object, part, direction)
            return .object(object)
        case .array(let elements):
            return .array(try elements.map { try translate($0, part, direction) })
        default: return value
        }
    }

    private static func translate(_ object: inout JSONObject, _ part: PnutPart, _ direction: PnutDirection) throws {
        let steps = part.steps
        switch direction {
        case .toPnut: for step in steps { try step.apply(to: &object, direction) }
        case .toAppNet: for step in steps.reversed() { try step.apply(to: &object, direction) }
        }
    }
}

/// Which way members are translated.
enum PnutDirection {
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
