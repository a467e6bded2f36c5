internal import HeliumJSON

/// What is known of an entity here and on the server: a pure value that decides what a fetch may change, what a save sends,
/// and what is still unsaved afterwards.
///
/// Edits, confirmed saves and the asking for documents have numbers in their order (``EditClock``). A document says nothing
/// about members that were edited or saved after it was asked for, so an answer that overlaps with local work can't undo it.
struct ModelState<Entity: ModelEntity>: Sendable {
    /// The entity as the model shows it: the server's members with the unsaved ones over them.
    private(set) var value: Entity
    /// The entity as the server had it when it was last heard of.
    private var base: Entity
    /// Members set through `info` to what the type can't hold: sent as they stand, for the server to judge.
    private(set) var untyped = JSONObject()
    /// Unsaved members, each with the number of its last edit.
    private var edits: [String: UInt64] = [:]
    /// When each member was last confirmed by a save.
    private var confirmations: [String: UInt64] = [:]
    /// When the last save was confirmed.
    private(set) var lastConfirmation: UInt64 = 0
    /// When the last document that was taken over was asked for.
    private(set) var lastDocument: UInt64 = 0

    /// A state for an entity.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the entity came from the server; the members of any other are unsaved.
    ///   - number: Now; of what came from the server, when it was asked for.
    init(_ entity: Entity, isKnown: Bool, at number: UInt64) {
        value = entity
        value.removeChildren()
        base = isKnown ? value : Entity()
        if isKnown { lastDocument = number } else { markAllUnsaved(at: number) }
    }

    /// The names of the members that the next save sends.
    var unsavedMembers: Set<String> { Set(edits.keys) }

    /// Whether there are any.
    var hasUnsavedMembers: Bool { !edits.isEmpty }
}

// MARK: Local edits

extension ModelState {
    /// Sets a property. It counts as an edit even if the value is the same: to record the same value again is a purpose.
    ///
    /// - Returns: The members that changed.
    mutating func set<Value>(
        _ path: WritableKeyPath<Entity, Value>,
        to newValue: Value,
        at number: UInt64
    ) -> Set<String> {
        guard let field = Entity.field(at: path) else {
            var changed = value
            changed[keyPath: path] = newValue
            return update(from: value, to: changed, at: number)
        }
        let before = value
        value[keyPath: path] = newValue
        untyped.removeValue(named: field.name)
        if field.isEditable { edits[field.name] = number }
        return field.isSame(before, value) ? [] : [field.name]
    }

    /// Takes over what somebody changed in a copy of the value: the members that differ between the two.
    ///
    /// - Returns: The members that changed.
    mutating func update(from before: Entity, to after: Entity, at number: UInt64) -> Set<String> {
        let names = Self.differences(before, after)
        let present = value
        for name in names {
            Self.copy(name, from: after, to: &value)
            noteEdit(name, at: number)
        }
        return Self.differences(present, value)
    }

    /// Marks all that there is as unsaved: a new entity is sent whole.
    mutating func markAllUnsaved(at number: UInt64) {
        for field in Entity.fields where field.isEditable && !field.isAbsent(in: value) { edits[field.name] = number }
        for (name, member) in value.extra where !member.isNull { edits[name] = number }
    }

    /// Gives the unsaved members back the values that the server had.
    ///
    /// - Returns: The members that changed.
    mutating func discardEdits() -> Set<String> {
        let before = value
        for name in edits.keys { Self.copy(name, from: base, to: &value) }
        let wasUntyped = Set(untyped.names)
        untyped = JSONObject()
        edits = [:]
        return Self.differences(before, value).union(wasUntyped)
    }

    /// An edit of a member; those of members that saves don't send last until the next document.
    fileprivate mutating func noteEdit(_ name: String, at number: UInt64) {
        untyped.removeValue(named: name)
        if Entity.field(named: name)?.isEditable ?? true { edits[name] = number }
    }
}

// MARK: Documents from the server

extension ModelState {
    /// Takes over a document.
    ///
    /// Members that are unsaved, or that were saved after it was asked for, stay as they are. Of two answers that overtook
    /// each other the one that was asked for last counts.
    ///
    /// - Parameters:
    ///   - document: The entity as the server has it, whole, without its children.
    ///   - number: When it was asked for.
    /// - Returns: The members that changed.
    mutating func merge(_ document: Entity, askedAt number: UInt64) -> Set<String> {
        if number < lastDocument { return [] }
        lastDocument = number
        if edits.isEmpty, untyped.isEmpty, document == value {
            base = document
            return []
        }
        let before = value
        for field in Entity.fields {
            if field.facts.writer.isOptionalInDocuments, field.isAbsent(in: document) { continue }
            take(field.name, from: document, askedAt: number)
        }
        for name in Set(value.extra.names).union(document.extra.names) {
            take(name, from: document, askedAt: number)
        }
        let untypedBefore = Set(untyped.names)
        for name in untypedBefore where isFree(name, since: number) { untyped.removeValue(named: name) }
        return Self.differences(before, value).union(untypedBefore.subtracting(untyped.names))
    }

    private mutating func take(_ name: String, from document: Entity, askedAt number: UInt64) {
        // What was confirmed meanwhile is newer than the document.
        if let confirmed = confirmations[name], confirmed > number { return }
        Self.copy(name, from: document, to: &base)
        if edits[name] == nil { Self.copy(name, from: document, to: &value) }
    }

    private func isFree(_ name: String, since number: UInt64) -> Bool {
        edits[name] == nil && (confirmations[name] ?? 0) <= number
    }
}

// MARK: Saving

extension ModelState {
    /// What a save is of: with its confirmation these edits are saved.
    struct Snapshot: Sendable {
        fileprivate let entity: Entity
        fileprivate let edits: [String: UInt64]

        /// Whether there is nothing to save.
        var isEmpty: Bool { edits.isEmpty }
    }

    /// What a save sends, and what it is of.
    struct Draft: Sendable {
        /// The unsaved members as JSON.
        var body: JSONObject
        let snapshot: Snapshot
    }

    /// What there is to save now.
    var snapshot: Snapshot { Snapshot(entity: value, edits: edits) }

    /// What the next save has to send.
    ///
    /// - Parameter isNew: Whether the server doesn't have the entity yet: then there is nothing to clear.
    /// - Throws: `EncodingError`, if the entity can't be written as JSON.
    func draft(isNew: Bool) throws -> Draft {
        if edits.isEmpty { return Draft(body: JSONObject(), snapshot: snapshot) }
        var body = JSONObject()
        // The document's own order, so that the same edits make the same text.
        for (name, member) in try info() where edits[name] != nil { body[name] = member }
        if !isNew {
            let old = try EntityJSON.object(of: base)
            for name in edits.keys.sorted() {
                body[name] = EntityJSON.clearing(name, old: old[name], new: body[name], in: Entity.self)
            }
        }
        return Draft(body: body, snapshot: snapshot)
    }

    /// Notes that the server has taken what was to be saved. Members that were edited again since stay unsaved; those whose
    /// edits were discarded meanwhile are as they were saved.
    ///
    /// - Returns: The members that changed.
    mutating func confirm(_ snapshot: Snapshot, at number: UInt64) -> Set<String> {
        lastConfirmation = number
        let before = value
        for (name, edit) in snapshot.edits {
            confirmations[name] = number
            Self.copy(name, from: snapshot.entity, to: &base)
            if let newer = edits[name], newer != edit { continue }
            edits[name] = nil
            Self.copy(name, from: snapshot.entity, to: &value)
        }
        return Self.differences(before, value)
    }

    /// Sets members that the server gave by its answer to a save, as an id: they are no edits.
    mutating func assign(_ change: (inout Entity) -> Void) {
        change(&value)
        change(&base)
    }
}

// MARK: The dictionary view

extension ModelState {
    /// The entity as a JSON object.
    ///
    /// - Throws: `EncodingError`, if the entity can't be written as JSON.
    func info() throws -> JSONObject {
        try EntityJSON.object(of: value).merging(untyped) { _, own in own }
    }

    /// Sets what differs from the present ``info()``. A member that is left out or `null` is removed.
    ///
    /// - Returns: The members that changed.
    mutating func setInfo(_ info: JSONObject, at number: UInt64) -> Set<String> {
        let present = (try? self.info()) ?? JSONObject()
        var changed: Set<String> = []
        for name in Set(info.names).union(present.names) where name != Entity.childrenName {
            let member = info[name]?.unlessNull
            if member == present[name] { continue }
            setMember(name, to: member, at: number)
            changed.insert(name)
        }
        return changed
    }

    /// Sets one member by its name; `nil` and `null` remove it. It counts as an edit even if the value is the same.
    mutating func setMember(_ name: String, to member: JSONValue?, at number: UInt64) {
        if name == Entity.childrenName { return }
        let member = member?.unlessNull
        noteEdit(name, at: number)
        guard let field = Entity.field(named: name) else {
            value.extra[name] = member
            return
        }
        guard let member else {
            field.copy(from: Entity(), to: &value)
            return
        }
        if let entity = EntityJSON.entity(Entity.self, of: [name: member]), !field.isAbsent(in: entity) {
            field.copy(from: entity, to: &value)
        } else {
            field.copy(from: Entity(), to: &value)
            untyped[name] = member
        }
    }
}

// MARK: Members by name

extension ModelState {
    private static func copy(_ name: String, from source: Entity, to target: inout Entity) {
        if let field = Entity.field(named: name) {
            field.copy(from: source, to: &target)
        } else {
            target.extra[name] = source.extra[name]
        }
    }

    private static func differences(_ one: Entity, _ other: Entity) -> Set<String> {
        var names = Set(Entity.fields.filter { !$0.isSame(one, other) }.map(\.name))
        if one.extra != other.extra {
            let all = Set(one.extra.names).union(other.extra.names)
            names.formUnion(all.filter { one.extra[$0] != other.extra[$0] })
        }
        return names
    }
}

extension JSONValue {
    /// The value; `nil` if it is `null`.
    fileprivate var unlessNull: JSONValue? { isNull ? .none : .some(self) }
}
