/// A record that a model can keep.
protocol ModelEntity: CosmRecord {
    /// The record's table. It is a constant, because every edit uses it.
    static var table: MemberTable<Self> { get }

    /// Returns whether a document is from an earlier time than another one, by its timestamps.
    static func isOlder(_ document: Self, than other: Self) -> Bool
}

extension Feed: ModelEntity {
    static let table = MemberTable<Feed>()

    static func isOlder(_ document: Feed, than other: Feed) -> Bool {
        Timestamp.isEarlier(document.updated, than: other.updated)
    }
}

extension Datastream: ModelEntity {
    static let table = MemberTable<Datastream>()

    static func isOlder(_ document: Datastream, than other: Datastream) -> Bool {
        Timestamp.isEarlier(document.at, than: other.at)
    }
}

extension Timestamp {
    fileprivate static func isEarlier(_ one: Timestamp?, than other: Timestamp?) -> Bool {
        if let one, let other { one < other } else { false }
    }
}

extension Datapoint: ModelEntity {
    static let table = MemberTable<Datapoint>()

    // An instant is the identity of a datapoint.
    static func isOlder(_ document: Datapoint, than other: Datapoint) -> Bool { false }
}

extension ModelEntity {
    /// The members of the type without the children, which are models of their own.
    static var fields: [any MemberField<Self>] { table.fields }

    /// The name of the member that holds the children; `nil` if there is none.
    static var childrenName: String? { table.children?.name }

    static func field(named name: String) -> (any MemberField<Self>)? { fields.first { $0.name == name } }

    /// Returns the member at a key path; `nil` if the path does not lead to a whole member.
    static func field(at path: PartialKeyPath<Self>) -> (any MemberField<Self>)? { fields.first { $0.isAt(path) } }

    /// Removes the children.
    mutating func removeChildren() { Self.table.children?.copy(from: Self(), to: &self) }
}
