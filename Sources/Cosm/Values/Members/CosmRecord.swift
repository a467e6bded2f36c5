internal import HeliumCore
internal import HeliumJSON

/// A value with members: it lists them once, and is read and written in every format by that list.
protocol CosmRecord: Codable, Hashable, Sendable {
    init()

    /// The members of a document that the type has no property for.
    var extra: JSONObject { get set }

    /// Hands each property to the visitor, by the name it has in JSON.
    mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws

    /// Is called once all members were read.
    ///
    /// - Throws: ``MemberFault`` for members that can't be.
    mutating func finishReading() throws(MemberFault)
}

extension CosmRecord {
    mutating func finishReading() throws(MemberFault) {}
}

/// What is wrong with a member that could be read only once all were.
struct MemberFault: Error {
    let reason: String
}

/// Reads or writes one property after the other.
///
/// Readers change what is in their document and leave the rest; writers change nothing.
protocol MemberVisitor {
    /// A single text.
    mutating func member<Value: WireText>(_ name: StaticString, _ value: inout Value?) throws

    /// An older name of a member, which is read where there is no newer one, and never written.
    mutating func alias<Value: WireText>(_ name: StaticString, _ value: inout Value?) throws

    /// Texts.
    ///
    /// - Parameter element: What each is called in XML.
    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ values: inout [Value]?
    ) throws

    /// Tags: an array, or one text by the rules of §11.
    mutating func tags(_ name: StaticString, _ tags: inout [String]?) throws

    /// A value with members of its own.
    mutating func record<Record: CosmRecord>(_ name: StaticString, _ record: inout Record?) throws

    /// Such values.
    ///
    /// - Parameter element: What each is called in XML.
    mutating func records<Record: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ records: inout [Record]?
    ) throws
}

extension MemberVisitor {
    /// A text that must not be seen.
    mutating func secret(_ name: StaticString, _ secret: inout Secret?) throws {
        var text = secret?.value
        try member(name, &text)
        if text != secret?.value { secret = text.map { Secret($0) } }
    }

    /// An older name of a text that must not be seen.
    mutating func secretAlias(_ name: StaticString, _ secret: inout Secret?) throws {
        var text = secret?.value
        try alias(name, &text)
        if text != secret?.value { secret = text.map { Secret($0) } }
    }
}
