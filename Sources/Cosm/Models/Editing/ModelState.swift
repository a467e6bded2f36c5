internal import HeliumJSON

/// The local and the server's state of an entity. It is a pure value that decides what a fetch changes, what a save
/// sends, and what remains unsaved.
///
/// Edits, confirmed saves and requests for documents are numbered in their order (``EditSequence``). A document does not
/// affect members that were edited or saved after it was requested, so a response that overlaps with local changes
/// cannot undo them. A pushed document has no request. The first one after a save may have been sent before it, until a
/// document shows the saved values (``doubts(_:)``).
struct ModelState<Entity: ModelEntity>: Sendable {
    /// The entity that the model shows: the server's members, replaced by those with unsaved changes.
    private(set) var value: Entity
    /// The entity as last received from the server.
    private var base: Entity
    /// Members that were set through `info` to values that the type cannot hold. They are sent as they are.
    private(set) var untyped = JSONObject()
    /// The members with unsaved changes, each with the number of its last edit.
    private var edits: [String: UInt64] = [:]
    /// The number of the last confirmed save of each member.
    private var confirmations: [String: UInt64] = [:]
    /// The number of the last confirmed save.
    private(set) var lastConfirmation: UInt64 = 0
    /// The number of the confirmed save that created the entity; 0 if this side did not create it.
    private var creation: UInt64 = 0
    /// The number of the last document that agreed with all saves before it.
    private var lastAgreement: UInt64 = 0
    /// The number of the request of the last document that was applied.
    private(set) var lastDocument: UInt64 = 0
    /// The members that the last document did not state, each with the number of the last document that may have stated
    /// it.
    private var unstated: [String: UInt64] = [:]

    /// Creates a state for an entity.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the entity came from the server. Otherwise its members are unsaved.
    ///   - number: The number of the request that returned the entity, or the current number.
    init(_ entity: Entity, isKnown: Bool, at number: UInt64) {
        value = entity
        value.removeChildren()
        base = isKnown ? value : Entity()
        if isKnown {
            lastDocument = number
            for field in Self.unstatedFields(of: value) { unstated[field.name] = 0 }
        } else {
            markAllUnsaved(at: number)
        }
    }

    /// The names of the members that the next save sends.
    var unsavedMembers: Set<String> { Set(edits.keys) }

    /// Whether there are members with unsaved changes.
    var hasUnsavedMembers: Bool { !edits.isEmpty }
}

// MARK: Local edits

extension ModelState {
    /// Sets a property. It counts as an edit even if the value is the same, because recording the same value again can
    /// be intended.
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

    /// Applies the changes of a copy: the members that differ between the two values.
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

    /// Marks all members that have a value as unsaved, because a new entity is sent whole.
    mutating func markAllUnsaved(at number: UInt64) {
        for field in Entity.fields where field.isEditable && !field.isAbsent(in: value) { edits[field.name] = number }
        for (name, member) in value.extra where !member.isNull { edits[name] = number }
    }

    /// Resets the members with unsaved changes to the values of the server.
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

    /// Notes an edit of a member. The edits of members that are not sent last until the next document.
    fileprivate mutating func noteEdit(_ name: String, at number: UInt64) {
        untyped.removeValue(named: name)
        if Entity.field(named: name)?.isEditable ?? true { edits[name] = number }
    }
}

// MARK: Documents from the server

extension ModelState {
    /// Applies a document.
    ///
    /// Members that have unsaved changes, or that were saved after the document was requested, stay unchanged. If
    /// responses arrive out of order, the one that was requested last is used. Of an earlier one only members are used
    /// that the later one does not state, such as the owner.
    ///
    /// - Parameters:
    ///   - document: The whole entity as the server has it, without its children.
    ///   - number: The number of the request of the document.
    /// - Returns: The members that changed.
    mutating func merge(_ document: Entity, askedAt number: UInt64) -> Set<String> {
        let last = lastDocument
        let isNewest = number >= last
        if isNewest { lastDocument = number }
        if isNewest, edits.isEmpty, untyped.isEmpty, unstated.isEmpty, document == value,
            Self.unstatedFields(of: document).isEmpty
        {
            base = document
            return []
        }
        let before = value
        for field in Entity.fields {
            if Self.isUnstated(field, in: document) {
                if isNewest, unstated[field.name] == nil { unstated[field.name] = last }
            } else if number >= unstated[field.name] ?? last {
                unstated[field.name] = isNewest ? nil : number
                take(field.name, from: document, askedAt: number)
            }
        }
        guard isNewest else { return Self.differences(before, value) }
        for name in Set(value.extra.names).union(document.extra.names) {
            take(name, from: document, askedAt: number)
        }
        let untypedBefore = Set(untyped.names)
        for name in untypedBefore where isFree(name, since: number) { untyped.removeValue(named: name) }
        return Self.differences(before, value).union(untypedBefore.subtracting(untyped.names))
    }

    private mutating func take(_ name: String, from document: Entity, askedAt number: UInt64) {
        // A value that was confirmed later is newer than the document.
        if let confirmed = confirmations[name], confirmed > number { return }
        Self.copy(name, from: document, to: &base)
        if edits[name] == nil { Self.copy(name, from: document, to: &value) }
    }

    private func isFree(_ name: String, since number: UInt64) -> Bool {
        edits[name] == nil && (confirmations[name] ?? 0) <= number
    }

    /// Returns the members of which a document does not show whether they have a value.
    private static func unstatedFields(of document: Entity) -> [any MemberField<Entity>] {
        Entity.fields.filter { isUnstated($0, in: document) }
    }

    private static func isUnstated(_ field: some MemberField<Entity>, in document: Entity) -> Bool {
        field.facts.writer.isOptionalInDocuments && field.isAbsent(in: document)
    }
}

// MARK: Pushed documents

extension ModelState {
    /// Whether this side created the entity, and no document has shown it since.
    var isUnseenCreation: Bool { creation > lastAgreement }

    /// Returns whether a pushed document may be older than what is known: it lacks a saved value, or it is from an
    /// earlier time. Only a document that is requested now can tell.
    func doubts(_ push: Entity) -> Bool {
        Entity.isOlder(push, than: base) || unseenSaves.contains { !Self.isSame($0, push, base) }
    }

    /// Notes that a pushed document was compared with one that was requested after it arrived. If both have the same
    /// values of the saved members, the push was sent after the saves, and so are all later ones.
    ///
    /// - Parameter number: The number of the request; the number of the push if it is not in doubt.
    mutating func agree(_ push: Entity, with document: Entity, askedAt number: UInt64) {
        guard unseenSaves.allSatisfy({ Self.isSame($0, push, document) }) else { return }
        lastAgreement = max(lastAgreement, number)
    }

    private var unseenSaves: [String] { confirmations.filter { $0.value > lastAgreement }.map(\.key) }
}

// MARK: Saving

extension ModelState {
    /// The edits that a save sends. Its confirmation makes them saved.
    struct Snapshot: Sendable {
        fileprivate let entity: Entity
        fileprivate let edits: [String: UInt64]

        /// Whether there is nothing to save.
        var isEmpty: Bool { edits.isEmpty }
    }

    /// The content of a save and the edits that it covers.
    struct Draft: Sendable {
        /// The unsaved members as JSON.
        var body: JSONObject
        let snapshot: Snapshot
    }

    /// The edits that are unsaved now.
    var snapshot: Snapshot { Snapshot(entity: value, edits: edits) }

    /// Returns the content of the next save.
    ///
    /// - Parameter isNew: Whether the server does not have the entity yet. Then no members have to be removed.
    /// - Throws: `EncodingError` if the entity cannot be encoded as JSON.
    func draft(isNew: Bool) throws -> Draft {
        if edits.isEmpty { return Draft(body: JSONObject(), snapshot: snapshot) }
        var body = JSONObject()
        // The order is that of the document, so that equal edits result in equal texts.
        for (name, member) in try info() where edits[name] != nil { body[name] = member }
        if !isNew {
            let old = try EntityJSON.object(of: base)
            for name in edits.keys.sorted() {
                body[name] = EntityJSON.clearing(name, old: old[name], new: body[name], in: Entity.self)
            }
        }
        return Draft(body: body, snapshot: snapshot)
    }

    /// Notes that the server has saved a snapshot. Members that were edited again since then stay unsaved. Members
    /// whose edits were discarded meanwhile take the saved values.
    ///
    /// - Parameter isCreation: Whether the save created the entity.
    /// - Returns: The members that changed.
    mutating func confirm(_ snapshot: Snapshot, at number: UInt64, isCreation: Bool = false) -> Set<String> {
        lastConfirmation = number
        if isCreation { creation = number }
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

    /// Sets members that the response to a save contains, such as an id. They do not count as edits.
    mutating func assign(_ change: (inout Entity) -> Void) {
        change(&value)
        change(&base)
    }
}

// MARK: JSON

extension ModelState {
    /// Returns the entity as a JSON object.
    ///
    /// - Throws: `EncodingError` if the entity cannot be encoded as JSON.
    func info() throws -> JSONObject {
        try EntityJSON.object(of: value).merging(untyped) { _, own in own }
    }

    /// Sets the members that differ from the current ``info()``. A member that is missing or `null` is removed.
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

    /// Sets a member by its name. `nil` and `null` remove it. It counts as an edit even if the value is the same.
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

    private static func isSame(_ name: String, _ one: Entity, _ other: Entity) -> Bool {
        Entity.field(named: name)?.isSame(one, other) ?? (one.extra[name] == other.extra[name])
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
