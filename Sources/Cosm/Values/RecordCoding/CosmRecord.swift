internal import HeliumCore
internal import HeliumJSON

/// A value whose members are listed in one table: ``members(_:)``.
///
/// The decoder, the fast reader, the encoder, XML, drafts, changes and the models use the table. Adding a member takes
/// a property, a parameter of the initializer and a line of the table.
protocol CosmRecord: Codable, JSONReadable, Hashable, Sendable {
    /// Creates a record without members.
    init()

    /// The members of a document for which the type has no property.
    var extra: JSONObject { get set }

    /// Calls the visitor once for each member, with its name in JSON, its property and its facts.
    ///
    /// The order is that of members in JSON and of elements in XML.
    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self

    /// Whether inner records of a list that cannot be read are left out. Otherwise they are an error of the record.
    static var leavesOutUnreadable: Bool { get }

    /// Records inner records that were left out.
    mutating func leaveOut(_ items: UnreadableItems)

    /// Completes a record whose members have all been read.
    ///
    /// - Throws: ``MemberFault`` if a member cannot be read.
    mutating func finishReading() throws(MemberFault)
}

extension CosmRecord {
    static var leavesOutUnreadable: Bool { false }

    mutating func leaveOut(_ items: UnreadableItems) {}

    mutating func finishReading() throws(MemberFault) {}
}

// These members are the same for all records. They are public because they fulfil requirements of public protocols.
extension CosmRecord {
    /// Decodes a record with the leniency rules of Docs/Protocols/Cosm.md §10.
    ///
    /// - Throws: `DecodingError` with the path of a member that cannot be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Decodes a record with the leniency rules of Docs/Protocols/Cosm.md §10.
    ///
    /// - Throws: `DecodingError` with the path of a member that cannot be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Encodes the members that have a value.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

/// The error for a member that can only be read after all others.
struct MemberFault: Error {
    let reason: String
}
