internal import HeliumCore
package import HeliumJSON

/// What a call returns: an object of the service, several, or plain values.
package protocol AppNetObject: Codable, JSONReadable, Sendable, PnutTranslated {}

extension Array: AppNetObject where Element: AppNetObject {}
extension Dictionary: AppNetObject where Key == String, Value: AppNetObject {}
extension Int: AppNetObject {}
extension String: AppNetObject {}
extension AppNetID: AppNetObject, SameOnPnut {}
extension JSONValue: AppNetObject {}

/// A value with members: it lists them once, and is read, written and translated by that list.
package protocol AppNetRecord: Hashable, AppNetObject, UnknownMemberHolder {
    /// A value without members.
    init()

    /// The members of a document that the type has no property for.
    var extra: JSONObject { get set }

    /// Hands each property to the visitor, by the name it has in JSON.
    mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws

    /// The differences of the values of members on pnut.io, and those that concern several members. Default: none.
    ///
    /// The differences of names and places are said where ``visit(_:)`` lists the members.
    static var pnutDifferences: [PnutStep] { get }
}

extension AppNetRecord {
    package static var pnutDifferences: [PnutStep] { [] }
}

/// Reads, writes or describes one property after the other.
///
/// Readers change what is in their document and leave the rest; writers change nothing.
package protocol MemberVisitor {
    /// A text, number or flag, read with leniency.
    mutating func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) throws

    /// Several of them.
    mutating func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?, _ facts: MemberFacts) throws

    /// Several of them by name.
    mutating func map<Value: WireScalar>(
        _ name: StaticString,
        _ values: inout [String: Value]?,
        _ facts: MemberFacts
    ) throws

    /// A value with members of its own, or several.
    mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) throws

    /// A value with members of its own that is kept outside of its holder.
    mutating func box<Value: MemberValue>(
        _ name: StaticString,
        _ value: inout Box<Value>?,
        _ facts: MemberFacts
    ) throws
}

/// What a record may hold besides scalars.
package typealias MemberValue = AppNetObject & Hashable & UnknownMemberHolder

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

// MARK: What a list of members is made of

// Inlined: the reader of JSON uses none of the facts, and pays for none.
extension MemberVisitor {
    /// A text, number or flag.
    @inline(__always)
    mutating func member<Value: WireScalar>(
        _ name: StaticString,
        _ value: inout Value?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try member(name, &value, MemberFacts(sent: sent, pnut: pnut))
    }

    /// Several of them.
    @inline(__always)
    mutating func list<Value: WireScalar>(
        _ name: StaticString,
        _ values: inout [Value]?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try list(name, &values, MemberFacts(sent: sent, pnut: pnut))
    }

    /// Several of them by name.
    @inline(__always)
    mutating func map<Value: WireScalar>(
        _ name: StaticString,
        _ values: inout [String: Value]?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try map(name, &values, MemberFacts(sent: sent, pnut: pnut))
    }

    /// A value with members of its own, or several.
    @inline(__always)
    mutating func value<Value: MemberValue>(
        _ name: StaticString,
        _ value: inout Value?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try self.value(name, &value, MemberFacts(sent: sent, pnut: pnut))
    }

    /// A value with members of its own that is kept outside of its holder.
    @inline(__always)
    mutating func box<Value: MemberValue>(
        _ name: StaticString,
        _ value: inout Box<Value>?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try box(name, &value, MemberFacts(sent: sent, pnut: pnut))
    }

    /// A text that must not be seen.
    mutating func secret(_ name: StaticString, _ secret: inout Secret?) throws {
        var text = secret?.value
        try member(name, &text)
        if text != secret?.value { secret = text.map { Secret($0) } }
    }
}
