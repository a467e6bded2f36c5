internal import HeliumCore
package import HeliumJSON

/// A value with members: it lists them once, and is read and written by that list.
package protocol AppNetRecord: Codable, Hashable, Sendable, JSONReadable, UnknownMemberHolder {
    /// A value without members.
    init()

    /// The members of a document that the type has no property for.
    var extra: JSONObject { get set }

    /// Hands each property to the visitor, by the name it has in JSON.
    mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws
}

/// Reads or writes one property after the other.
///
/// Readers change what is in their document and leave the rest; writers change nothing.
package protocol MemberVisitor {
    /// A text, number or flag, read with leniency.
    mutating func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?) throws

    /// Several of them.
    mutating func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?) throws

    /// Several of them by name.
    mutating func map<Value: WireScalar>(_ name: StaticString, _ values: inout [String: Value]?) throws

    /// A value with members of its own, or several.
    mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?) throws

    /// A value with members of its own that is kept outside of its holder.
    mutating func box<Value: MemberValue>(_ name: StaticString, _ value: inout Box<Value>?) throws
}

/// What a record may hold besides scalars.
package typealias MemberValue = Codable & Hashable & JSONReadable & Sendable & UnknownMemberHolder

/// A value that lives outside of the struct that holds it: a large one that is copied with its holder at no cost, or one of the
/// holder's own type.
package indirect enum Box<Value: Hashable & Sendable>: Hashable, Sendable {
    case boxed(Value)

    init(_ value: Value) { self = .boxed(value) }

    var value: Value {
        switch self {
        case .boxed(let value): value
        }
    }
}

extension MemberVisitor {
    /// A text that must not be seen.
    mutating func secret(_ name: StaticString, _ secret: inout Secret?) throws {
        var text = secret?.value
        try member(name, &text)
        if text != secret?.value { secret = text.map { Secret($0) } }
    }
}
