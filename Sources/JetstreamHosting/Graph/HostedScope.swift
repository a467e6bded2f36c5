internal import HeliumCore
internal import HeliumJSON

/// The limits of a scope.
package struct ScopeLimits: Sendable {
    var objects = 1_000_000
    /// The maximum size of all texts and references, in bytes.
    var bytes = 512 << 20

    package init() {}
}

/// A scope hosted by the server: its objects, and the document sent to a client that fetches it.
struct HostedScope: Sendable {
    let name: String
    let schema: Schema
    let rootClass: Int
    let limits: ScopeLimits
    var graph = ObjectGraph()
    /// The members of a ScopeState; `nil` if an object has changed since the document was made.
    private var document: ServerMessage.Body?

    /// Creates a scope with its initial tree.
    ///
    /// - Throws: ``ScopeFileError`` if the root's class is unknown or the tree does not fit the schema.
    init(_ definition: ScopeFile.ScopeDefinition, schema: Schema, random: RandomSource, limits: ScopeLimits) throws {
        let path = ScopeFileObject.place(definition.name, in: "scopes")
        self.init(
            name: definition.name,
            schema: schema,
            rootClass: try Self.rootClass(of: definition, schema),
            limits: limits
        )
        do throws(InlineFault) {
            try addRoot(definition.initial, random: random)
        } catch {
            let place = error.path
            throw ScopeFileError(
                "\(path).initial\(place.hasPrefix("[") || place.isEmpty ? "" : ".")\(place)",
                error.reason
            )
        }
        _ = graph.settle()
        graph.closeJournal()
    }

    /// Creates a scope without objects. The first object that is added is the root.
    init(name: String, schema: Schema, rootClass: Int, limits: ScopeLimits) {
        self.name = name
        self.schema = schema
        self.rootClass = rootClass
        self.limits = limits
    }

    static func rootClass(of definition: ScopeFile.ScopeDefinition, _ schema: Schema) throws -> Int {
        guard let index = schema.classIndexes[definition.root] else {
            let path = ScopeFileObject.place(definition.name, in: "scopes")
            throw ScopeFileError("\(path).root", "there is no class \"\(definition.root.excerpt(64))\"")
        }
        return index
    }

    func definition(of handle: Int) -> Schema.Class { schema.classes[graph[handle].classIndex] }

    /// Clears the cached document after a change.
    mutating func invalidateDocument() { document = nil }
}

// MARK: Documents

extension HostedScope {
    /// The identifier of the root.
    var rootID: ObjectID { graph[graph.root].id }

    /// Returns the members of a ScopeState (Docs/Protocols/Jetstream.md §2.6).
    ///
    /// - Parameter number: Returns the number of a new document, for the store.
    mutating func stateDocument(number: () -> Int) -> ServerMessage.Body {
        if let document { return document }
        let text = JSONValue.array(allFragments().map(\.value)).text()
        let bytes = Array("\"rootUUID\":\"\(rootID.text)\",\"fragments\":\(text)".utf8)
        let document = ServerMessage.Body(number: number(), bytes: bytes)
        self.document = document
        return document
    }

    /// Returns the root as a change and all other objects as adds, depth-first in the order of the properties, without
    /// duplicates.
    func allFragments() -> [Fragment] {
        var fragments: [Fragment] = []
        fragments.reserveCapacity(graph.count)
        var seen = Set<Int>(minimumCapacity: graph.count)
        var stack = [graph.root]
        while let handle = stack.popLast() {
            guard seen.insert(handle).inserted else { continue }
            fragments.append(fragment(of: handle, isAdd: handle != graph.root))
            for value in graph[handle].values.reversed() {
                switch value {
                case .scalar: break
                case .reference(let child): if let child { stack.append(child) }
                case .references(let children): stack += children.reversed()
                }
            }
        }
        return fragments
    }

    /// Returns a fragment with current properties of an object: all of them, or those in `slots`.
    ///
    /// A whole object omits references without a target (Docs/Protocols/Jetstream.md §2.5).
    func fragment(of handle: Int, isAdd: Bool, slots: [Int]? = nil) -> Fragment {
        let definition = definition(of: handle)
        let node = graph[handle]
        var properties = JSONObject()
        for slot in slots ?? Array(definition.properties.indices) {
            if slots == nil, case .reference(nil) = node.values[slot] { continue }
            properties[definition.properties[slot].name] = value(node.values[slot])
        }
        return Fragment(isAdd: isAdd, id: node.id, className: definition.name, properties: properties)
    }

    /// Returns a value as sent on the wire.
    func value(_ value: ObjectGraph.Value) -> JSONValue {
        switch value {
        case .scalar(let value): value
        case .reference(let handle): handle.map { .string(graph[$0].id.text) } ?? .null
        case .references(let handles): .array(handles.map { .string(graph[$0].id.text) })
        }
    }
}

// MARK: Effects of a transaction

extension HostedScope {
    /// The objects changed by a transaction, in the order of their first change.
    struct Effects {
        /// The changed properties of objects that existed before.
        var changed: [(handle: Int, slots: [Int])] = []
        /// The new objects.
        var created: [Int] = []
        /// The identifiers of removed objects.
        var removed: [ObjectID] = []
        /// The number of objects that were searched for another path to the root and kept.
        var keptAfterSearch = 0
    }

    /// Ends the transaction: removes objects that the root no longer reaches, and clears the journal.
    mutating func commit() -> Effects {
        var effects = Effects()
        effects.removed = graph.settle()
        effects.keptAfterSearch = graph.keptAfterSearch
        var places: [Int: Int] = [:]
        var seen: Set<Int> = []
        var isNew: Set<Int> = []
        for step in graph.journal {
            switch step {
            case .created(let handle):
                isNew.insert(handle)
                if graph[handle].isAlive { effects.created.append(handle) }
            case .changed(let handle, let slot, _):
                guard graph[handle].isAlive, !isNew.contains(handle) else { continue }
                guard seen.insert(handle * ScopeFile.Ceilings.properties + slot).inserted else { continue }
                if let place = places[handle] {
                    effects.changed[place].slots.append(slot)
                } else {
                    places[handle] = effects.changed.count
                    effects.changed.append((handle, [slot]))
                }
            }
        }
        if !graph.journal.isEmpty || !effects.removed.isEmpty { invalidateDocument() }
        graph.closeJournal()
        return effects
    }
}
