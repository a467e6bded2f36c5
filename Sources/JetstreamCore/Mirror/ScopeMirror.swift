public import Foundation
public import HeliumJSON

/// An object of a scope as plain values.
public struct MirroredObject: Sendable, Hashable {
    /// The object's identifier.
    public let uuid: UUID
    /// The object's class, without a module's name.
    public var className: String
    /// The properties by their names on the wire, as the server sent them.
    public var properties: JSONObject

    /// An object of these parts.
    public init(uuid: UUID, className: String, properties: JSONObject) {
        self.uuid = uuid
        self.className = className
        self.properties = properties
    }
}

/// A scope's tree as plain values, without classes: for tools, and for programs that know no schema.
///
/// It is fed by states and syncs. A property refers to an object if its value, or an element of it, is the identifier of an
/// object of the scope. Objects that can't be reached from the root are forgotten, as removal has no fragment of its own
/// (Docs/Protocols/Jetstream.md §2.1).
public struct ScopeMirror: Sendable {
    /// The root's identifier; `nil` before the first state.
    public private(set) var rootUUID: UUID?
    private var known: [UUID: MirroredObject] = [:]
    /// Values that may have been the last reference to an object, since unreachable objects were last forgotten.
    private var droppedReferences = 0

    /// A mirror without objects.
    public init() {}

    /// The object with an identifier, if it is in the scope.
    ///
    /// It takes as long as the scope is large when objects may have left the scope since the last call.
    public mutating func object(_ uuid: UUID) -> MirroredObject? {
        forgetUnreachable()
        return known[uuid]
    }

    /// The objects: the root first, then depth first in the order of the properties, each once.
    public var objects: [MirroredObject] { reachable() }
}

// MARK: Changing

extension ScopeMirror {
    /// Replaces the whole tree. Of two fragments of one object the last counts.
    public mutating func apply(_ state: JetstreamMessage.ScopeState) {
        known = [:]
        rootUUID = state.rootUUID
        for fragment in state.fragments { create(fragment) }
        // A state may have objects that can't be reached.
        droppedReferences = 1
    }

    /// Applies changes. Objects are made first, so that a change may refer to an object that is added behind it
    /// (Jetstream.md §2.2). An add of an object that is known already is a change.
    public mutating func apply(_ fragments: [SyncFragment]) {
        if fragments.contains(where: { $0.kind == .add && known[$0.uuid] != nil }) {
            // An object that had left comes back with nothing of what it was.
            forgetUnreachable()
        }
        var created: Set<Int> = []
        for (place, fragment) in fragments.enumerated() where fragment.kind == .add && known[fragment.uuid] == nil {
            create(fragment)
            created.insert(place)
        }
        for (place, fragment) in fragments.enumerated() where !created.contains(place) {
            set(fragment.properties, of: fragment.uuid)
        }
        if droppedReferences > known.count { forgetUnreachable() }
    }

    /// Applies the fragments of a change set that the server accepted, with its modifications.
    public mutating func apply(_ fragments: [SyncFragment], replies: [FragmentReply]) {
        let answered = zip(fragments, replies)
        apply(answered.compactMap { $1.isAccepted ? $0 : nil })
        for (fragment, reply) in answered where reply.isAccepted { set(reply.modifications, of: fragment.uuid) }
    }

    private mutating func create(_ fragment: SyncFragment) {
        known[fragment.uuid] = MirroredObject(
            uuid: fragment.uuid,
            className: fragment.className,
            properties: fragment.properties
        )
    }

    /// Sets properties of a known object. An unknown one is ignored (Jetstream.md §2.7).
    private mutating func set(_ properties: JSONObject, of uuid: UUID) {
        guard known[uuid] != nil else { return }
        for (name, value) in properties {
            if known[uuid]?.properties[name].map(Self.mayRefer) == true { droppedReferences += 1 }
            known[uuid]?.properties[name] = value
        }
    }
}

// MARK: Reaching

extension ScopeMirror {
    private static func mayRefer(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.utf8.count == 36
        case .array(let elements): elements.contains(where: mayRefer)
        case .null, .bool, .number, .object: false
        }
    }

    private mutating func forgetUnreachable() {
        guard droppedReferences > 0 else { return }
        known = Dictionary(uniqueKeysWithValues: reachable().map { ($0.uuid, $0) })
        droppedReferences = 0
    }

    /// The objects that can be reached from the root, without recursion: a chain may be as long as the scope is large.
    private func reachable() -> [MirroredObject] {
        guard let rootUUID, let root = known[rootUUID] else { return [] }
        var found: [MirroredObject] = []
        var seen: Set<UUID> = []
        var open = [root]
        while let object = open.popLast() {
            guard seen.insert(object.uuid).inserted else { continue }
            found.append(object)
            var children: [MirroredObject] = []
            for (_, value) in object.properties { collect(value, into: &children) }
            open += children.lazy.reversed().filter { !seen.contains($0.uuid) }
        }
        return found
    }

    private func collect(_ value: JSONValue, into children: inout [MirroredObject]) {
        switch value {
        case .string(let text):
            if text.utf8.count == 36, let child = UUID(wireText: text).flatMap({ known[$0] }) { children.append(child) }
        case .array(let elements):
            for element in elements { if case .string = element { collect(element, into: &children) } }
        case .null, .bool, .number, .object: break
        }
    }
}
