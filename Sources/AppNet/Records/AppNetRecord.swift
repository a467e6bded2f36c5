internal import HeliumCore
package import HeliumJSON

/// A value that a call can return: an object of the service, a collection of objects, or a plain value.
package protocol AppNetObject: Codable, JSONReadable, Sendable, PnutTranslated {}

extension Array: AppNetObject where Element: AppNetObject {}
extension Dictionary: AppNetObject where Key == String, Value: AppNetObject {}
extension Int: AppNetObject {}
extension String: AppNetObject {}
extension AppNetID: AppNetObject, SameOnPnut {}
extension JSONValue: AppNetObject {}

/// A value with members. Its list of members is used to decode, encode and translate it.
package protocol AppNetRecord: Hashable, AppNetObject, UnknownMemberHolder {
    /// Creates a value without members.
    init()

    /// The JSON members without a property in this type.
    var extra: JSONObject { get set }

    /// Passes each property and its JSON name to the visitor.
    mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws

    /// The differences of the values of members on pnut.io, and those that concern several members. The default is
    /// none.
    ///
    /// The differences of names and positions are given in ``visit(_:)``, which lists the members.
    static var pnutDifferences: [PnutStep] { get }
}

extension AppNetRecord {
    package static var pnutDifferences: [PnutStep] { [] }
}

// These members are the same for all records. They are public because they fulfil requirements of public protocols.
extension AppNetRecord {
    /// Decodes the members that are present.
    ///
    /// - Throws: `DecodingError` with the path of a member that cannot be decoded.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Decodes the members that are present.
    ///
    /// - Throws: `DecodingError` with the path of a member that cannot be decoded.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Encodes the members that are not `nil`, followed by the members of `extra`.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

/// A visitor that decodes, encodes or describes properties one by one.
///
/// Decoding visitors change the properties that are in their document and leave the rest. Encoding visitors change
/// nothing.
package protocol MemberVisitor {
    /// Visits a string, number or Boolean value, which is decoded leniently.
    mutating func member<Value: WireScalar>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) throws

    /// Visits an array of such values.
    mutating func list<Value: WireScalar>(_ name: StaticString, _ values: inout [Value]?, _ facts: MemberFacts) throws

    /// Visits a dictionary of such values.
    mutating func map<Value: WireScalar>(
        _ name: StaticString,
        _ values: inout [String: Value]?,
        _ facts: MemberFacts
    ) throws

    /// Visits a value with members of its own, or an array of them.
    mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ facts: MemberFacts) throws

    /// Visits a value with members of its own that is boxed.
    mutating func box<Value: MemberValue>(
        _ name: StaticString,
        _ value: inout Box<Value>?,
        _ facts: MemberFacts
    ) throws
}

/// A value that a record may hold in addition to scalars.
package typealias MemberValue = AppNetObject & Hashable & UnknownMemberHolder

/// A value that is stored outside the struct that holds it. This makes large values free to copy with their holder, and
/// lets a struct hold values of its own type.
package indirect enum Box<Value: Hashable & Sendable>: Hashable, Sendable {
    case boxed(Value)

    init(_ value: Value) { self = .boxed(value) }

    var value: Value {
        switch self {
        case .boxed(let value): value
        }
    }
}

// MARK: Functions for lists of members

// These functions are inlined, because the JSON decoder does not use the facts and should not have to create them.
extension MemberVisitor {
    /// Visits a string, number or Boolean value.
    @inline(__always)
    mutating func member<Value: WireScalar>(
        _ name: StaticString,
        _ value: inout Value?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try member(name, &value, MemberFacts(sent: sent, pnut: pnut))
    }

    /// Visits an array of such values.
    @inline(__always)
    mutating func list<Value: WireScalar>(
        _ name: StaticString,
        _ values: inout [Value]?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try list(name, &values, MemberFacts(sent: sent, pnut: pnut))
    }

    /// Visits a dictionary of such values.
    @inline(__always)
    mutating func map<Value: WireScalar>(
        _ name: StaticString,
        _ values: inout [String: Value]?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try map(name, &values, MemberFacts(sent: sent, pnut: pnut))
    }

    /// Visits a value with members of its own, or an array of them.
    @inline(__always)
    mutating func value<Value: MemberValue>(
        _ name: StaticString,
        _ value: inout Value?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try self.value(name, &value, MemberFacts(sent: sent, pnut: pnut))
    }

    /// Visits a value with members of its own that is boxed.
    @inline(__always)
    mutating func box<Value: MemberValue>(
        _ name: StaticString,
        _ value: inout Box<Value>?,
        sent: MemberFacts.Sending = .never,
        pnut: PnutMember = .same
    ) throws {
        try box(name, &value, MemberFacts(sent: sent, pnut: pnut))
    }

    /// Visits a string that must not be shown.
    mutating func secret(_ name: StaticString, _ secret: inout Secret?) throws {
        var text = secret?.value
        try member(name, &text)
        if text != secret?.value { secret = text.map { Secret($0) } }
    }
}
