internal import HeliumJSON
internal import Observation

/// What a model keeps: a value whose members can be told apart by their names in the document.
protocol ModelEntity: CosmRecord {
    /// The members that the type knows, without the children, which are models of their own.
    static var fields: [any ModelField<Self>] { get }

    /// The member that holds the children; `nil` if there are none.
    static var childrenName: String? { get }

    /// Takes the children away.
    mutating func removeChildren()
}

extension ModelEntity {
    static func field(named name: String) -> (any ModelField<Self>)? { fields.first { $0.name == name } }

    /// The member at a key path; `nil` for a path that is no whole member.
    static func field(at path: PartialKeyPath<Self>) -> (any ModelField<Self>)? { fields.first { $0.isAt(path) } }
}

/// What becomes of a member when a model is fetched and saved.
enum FieldRole: Hashable, Sendable {
    /// The user's: sent when it was changed. To clear it on the server, an empty value of its kind is sent (§3.3).
    case written(Clearing)
    /// The server's: never sent, and gone when a document comes without it.
    case told
    /// The server's, but not in every document: one without it takes nothing away.
    case keptWhenAbsent

    /// How a member is cleared: `null` counts as absent (§3.3).
    enum Clearing: Hashable, Sendable {
        /// By an empty string.
        case text
        /// By an empty array.
        case list
        /// By an empty string for each of its members; those of `except` are the server's own and never sent.
        case object(except: Set<String>)
    }
}

/// A member of an entity.
protocol ModelField<Entity>: Sendable {
    associatedtype Entity: ModelEntity

    /// The member's name in JSON.
    var name: String { get }
    var role: FieldRole { get }

    func isSame(_ one: Entity, _ other: Entity) -> Bool
    func copy(from source: Entity, to target: inout Entity)
    func isAt(_ path: PartialKeyPath<Entity>) -> Bool

    /// Tells those who observe the model's property.
    func notify<Model: ObservedModel>(_ model: Model) where Model.Entity == Entity
}

extension ModelField {
    func isAbsent(in entity: Entity) -> Bool { isSame(entity, Entity()) }

    /// Whether saves send it.
    var isWritten: Bool {
        if case .written = role { return true }
        return false
    }
}

/// A member of an entity by its property.
struct EntityField<Entity: ModelEntity, Value: Hashable & Sendable>: ModelField {
    let name: String
    let path: any WritableKeyPath<Entity, Value> & Sendable
    let role: FieldRole

    init(_ name: String, _ path: any WritableKeyPath<Entity, Value> & Sendable, _ role: FieldRole) {
        self.name = name
        self.path = path
        self.role = role
    }

    func isSame(_ one: Entity, _ other: Entity) -> Bool { one[keyPath: path] == other[keyPath: path] }

    func copy(from source: Entity, to target: inout Entity) { target[keyPath: path] = source[keyPath: path] }

    func isAt(_ other: PartialKeyPath<Entity>) -> Bool { path == other }

    func notify<Model: ObservedModel>(_ model: Model) where Model.Entity == Entity {
        model.core.registrar.withMutation(of: model, keyPath: \.[dynamicMember: path]) {}
    }
}
