internal import HeliumCore

/// The property of a member. A literal, so that the optimizer replaces it by the stored property in visitors that are
/// inlined.
typealias MemberPath<Record, Value> = any WritableKeyPath<Record, Value?> & Sendable

/// Something that is derived from a record's table: a reader, a writer, or a list.
///
/// A visitor holds the record, if it needs one, and is passed to ``CosmRecord/members(_:)``.
protocol MemberVisitor<Record> {
    associatedtype Record: CosmRecord
    /// The error that stops the visit; `Never` if nothing can.
    associatedtype Failure: Error

    /// A member with a single text.
    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) throws(Failure)

    /// An older name of a member. It is read if the newer one is missing, and never written.
    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) throws(Failure)

    /// A member with several texts.
    ///
    /// - Parameter element: The name of each text in XML.
    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) throws(Failure)

    /// Tags: an array, or one text by the rules of §11. In XML each is a `tag` element.
    mutating func tags(
        _ name: StaticString,
        _ path: MemberPath<Record, [String]>,
        _ facts: MemberFacts
    ) throws(Failure)

    /// A member that is a record.
    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) throws(Failure)

    /// A member with several records.
    ///
    /// - Parameter element: The name of each record in XML.
    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) throws(Failure)
}

extension Secret? {
    /// The secret's text, as documents hold it.
    var text: String? {
        get { self?.value }
        set { self = newValue.map { Secret($0) } }
    }
}
