/// A record that a model can keep.
protocol ModelEntity: CosmRecord {
    /// The record's table. It is a constant, because every edit uses it.
    static var table: MemberTable<Self> { get }
}

extension Feed: ModelEntity {
    static let table = MemberTable<Feed>()
}

extension Datastream: ModelEntity {
    static let table = MemberTable<Datastream>()
}

extension Datapoint: ModelEntity {
    static let table = MemberTable<Datapoint>()
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
