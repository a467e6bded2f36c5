internal import HeliumCore

/// The property of a member. It is a literal, so that the optimizer replaces it with the stored property in inlined
/// visitors.
typealias MemberPath<Record, Value> = any WritableKeyPath<Record, Value?> & Sendable

/// A reader, a writer or a list that is derived from a record's table.
///
/// A visitor stores the record, if it needs one, and is passed to ``CosmRecord/members(_:)``.
protocol MemberVisitor<Record> {
    associatedtype Record: CosmRecord
    /// The error that stops the visit; `Never` if there is none.
    associatedtype Failure: Error

    /// Visits a member with a single text.
    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) throws(Failure)

    /// Visits an older name of a member. It is read if the newer one is missing, and never written.
    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) throws(Failure)

    /// Visits a member with several texts.
    ///
    /// - Parameter element: The name of each text in XML.
    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) throws(Failure)

    /// Visits tags. They are an array, or one text with the rules of Docs/Protocols/Cosm.md §11. In XML each tag is a
    /// `tag` element.
    mutating func tags(
        _ name: StaticString,
        _ path: MemberPath<Record, [String]>,
        _ facts: MemberFacts
    ) throws(Failure)

    /// Visits a member that is a record.
    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) throws(Failure)

    /// Visits a member with several records.
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
    /// The text of the secret, as in documents.
    var text: String? {
        get { self?.value }
        set { self = newValue.map { Secret($0) } }
    }
}
