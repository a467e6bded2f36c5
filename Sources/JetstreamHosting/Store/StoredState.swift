internal import HeliumJSON

/// The stored state of an engine.
package struct StoredState: Sendable {
    /// An object of a scope.
    package struct Object: Sendable {
        let id: ObjectID
        let className: String
        var properties: JSONObject
    }

    /// A session with the messages that its client has not acknowledged.
    package struct Session: Sendable {
        let info: JetstreamSessionInfo
        let token: String
        /// The client whose share the session is part of; empty if it is not known.
        var client = ""
        var clientIndex = 0
        var serverIndex = 0
        /// The names of the fetched scopes, by `scopeIndex`.
        var scopes: [String] = []
        var retained: [ServerMessage] = []
    }

    /// The prefix of the store's tokens; `nil` if the store is new.
    var epoch: String?
    /// The objects of each scope, with the root first.
    var scopes: [ByteText: [Object]] = [:]
    /// The scopes whose root cannot be read. They have no entry in ``scopes``.
    var unreadableScopes: Set<ByteText> = []
    var sessions: [Session] = []
    var lastSession = 0
    var lastBody = 0

    /// Creates an empty state.
    package init() {}
}

extension HostedScope {
    /// Restores a scope from the store.
    ///
    /// Data that no longer fits the schema is left out, and objects that only it referred to are left out too.
    ///
    /// - Parameter objects: The objects of a scope without a ``StoredRootFault``.
    /// - Throws: ``ScopeFileError`` if the file has no class of the root's name.
    init(
        _ definition: ScopeFile.ScopeDefinition,
        schema: Schema,
        limits: ScopeLimits,
        restoring objects: [StoredState.Object]
    ) throws {
        let rootClass = try Self.rootClass(of: definition, schema)
        self.init(name: definition.name, schema: schema, rootClass: rootClass, limits: limits)
        for object in objects {
            guard let index = schema.classIndexes[object.className], graph.handle(of: object.id) == nil else {
                continue
            }
            _ = graph.create(object.id, classIndex: index, values: schema.classes[index].initialValues)
        }
        for object in objects {
            guard let handle = graph.handle(of: object.id) else { continue }
            let definition = self.definition(of: handle)
            for (name, value) in object.properties {
                guard let slot = definition.slots[name],
                    let value = restored(value, definition.properties[slot])
                else { continue }
                graph.set(handle, slot: slot, to: value)
            }
        }
        _ = graph.settle()
        graph.closeJournal()
    }

    private func restored(_ value: JSONValue, _ property: Schema.Property) -> ObjectGraph.Value? {
        guard case .object(let classIndex) = property.kind else {
            return schema.stored(value, property, isOwn: true).map { .scalar($0) }
        }
        func handle(_ value: JSONValue) -> Int? {
            guard let handle = value.stringValue.flatMap({ ObjectID($0) }).flatMap({ graph.handle(of: $0) }) else {
                return nil
            }
            return schema.isClass(graph[handle].classIndex, classIndex) ? handle : nil
        }
        if property.isArray { return value.arrayValue.map { .references($0.compactMap(handle)) } }
        return .reference(handle(value))
    }
}
