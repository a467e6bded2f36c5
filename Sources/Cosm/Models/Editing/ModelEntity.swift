/// A record that a model keeps.
protocol ModelEntity: CosmRecord {
    /// The record's table. A constant of the type, because it is needed for every edit.
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
    /// The members that the type knows, without the children, which are models of their own.
    static var fields: [any MemberField<Self>] { table.fields }

    /// The member that holds the children; `nil` if there are none.
    static var childrenName: String? { table.children?.name }

    static func field(named name: String) -> (any MemberField<Self>)? { fields.first { $0.name == name } }

    /// The member at a key path; `nil` if the path leads to no whole member.
    static func field(at path: PartialKeyPath<Self>) -> (any MemberField<Self>)? { fields.first { $0.isAt(path) } }

    /// Removes the children.
    mutating func removeChildren() { Self.table.children?.copy(from: Self(), to: &self) }
}
