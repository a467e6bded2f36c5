public import Foundation
public import HeliumJSON

/// An object of a scope as plain values.
public struct MirroredObject: Sendable, Hashable {
    /// The object's identifier.
    public let uuid: UUID
    /// The class of the object, without a module name.
    public var className: String
    /// The properties by their names on the wire, with the values that the server sent.
    public var properties: JSONObject

    /// Creates an object.
    public init(uuid: UUID, className: String, properties: JSONObject) {
        self.uuid = uuid
        self.className = className
        self.properties = properties
    }
}

/// A scope's tree as plain values, without model classes: for tools, and for programs without a schema.
///
/// States and syncs update it. A property refers to an object if its value, or an element of it, is the identifier of
/// an object of the scope. Objects that cannot be reached from the root are removed, because there is no fragment for a
/// removal (Docs/Protocols/Jetstream.md §2.1).
public struct ScopeMirror: Sendable {
    /// The root's identifier; `nil` before the first state.
    public private(set) var rootUUID: UUID?
    private var known: [UUID: MirroredObject] = [:]
    /// The number of overwritten values that may have been the last reference to an object, since unreachable objects
    /// were last removed.
    private var droppedReferences = 0

    /// Creates an empty mirror.
    public init() {}

    /// Returns the object with an identifier if it is in the scope.
    ///
    /// If objects may have left the scope since the last call, this takes time proportional to the size of the scope.
    public mutating func object(_ uuid: UUID) -> MirroredObject? {
        forgetUnreachable()
        return known[uuid]
    }

    /// The objects: the root first, then depth-first in the order of the properties, without duplicates.
    public var objects: [MirroredObject] { reachable() }
}

// MARK: Changing

extension ScopeMirror {
    /// Replaces the whole tree. If an object has several fragments, the last one counts.
    public mutating func apply(_ state: JetstreamMessage.ScopeState) {
        known = [:]
        rootUUID = state.rootUUID
        for fragment in state.fragments { create(fragment) }
        // A state may contain unreachable objects.
        droppedReferences = 1
    }

    /// Applies changes.
    ///
    /// Objects are created first, so that a change may refer to an object that a later fragment adds
    /// (Docs/Protocols/Jetstream.md §2.2). An add of a known object is a change.
    public mutating func apply(_ fragments: [SyncFragment]) {
        if fragments.contains(where: { $0.kind == .add && known[$0.uuid] != nil }) {
            // An object that had left returns without its former properties.
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

    /// Applies the accepted fragments of a change set, with the server's modifications.
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

    /// Sets properties of a known object. An unknown object is ignored (Docs/Protocols/Jetstream.md §2.7).
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

    /// Returns the objects reachable from the root. It does not recurse, because a chain may be as long as the scope is
    /// large.
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
