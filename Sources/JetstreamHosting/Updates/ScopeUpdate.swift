internal import HeliumCore
internal import HeliumJSON

extension HostedScope {
    /// Changes an object on the server's side (Docs/Protocols/Jetstream.md §5.6).
    ///
    /// Each path of each operator is a separate step. A failed step changes nothing and is reported in the result's
    /// write errors.
    ///
    /// - Returns: The result, the fragments for all sessions, with changes first, and the effects.
    mutating func update(
        _ query: JSONObject,
        _ operators: JSONObject,
        random: RandomSource
    ) -> (JetstreamUpdateResult, [Fragment], Effects) {
        var result = JetstreamUpdateResult()
        guard let target = found(query) else { return (result, [], Effects()) }
        result.matched = 1
        for (name, value) in operators {
            guard let kind = UpdateOperator(asciiValue: name) else {
                result.writeErrors.append("\(name.excerpt(64)): is not an operator")
                continue
            }
            guard case .object(let paths) = value else {
                result.writeErrors.append("\(name): is not an object")
                continue
            }
            for (path, value) in paths {
                let mark = graph.journal.count
                do throws(InlineFault) {
                    try perform(kind, path, value, on: target, random)
                } catch {
                    graph.rollBack(to: mark)
                    let place = error.path.isEmpty ? "" : " \(error.path)"
                    result.writeErrors.append("\(name) \(path.excerpt(64))\(place): \(error.reason)")
                }
            }
        }
        let effects = commit()
        result.created = effects.created.map { graph[$0].id.uuid }
        result.modified = effects.changed.map { graph[$0.handle].id.uuid }
        let changes = effects.changed.map { fragment(of: $0.handle, isAdd: false, slots: $0.slots) }
        let additions = effects.created.map { fragment(of: $0, isAdd: true) }
        return (result, changes + additions, effects)
    }

    /// Returns the object named by `$uuid`, or the root. If `$cls` is given, it must be of that class or of a subclass.
    private func found(_ query: JSONObject) -> Int? {
        var handle = graph.root
        if let value = query["$uuid"] {
            guard let found = value.stringValue.flatMap({ ObjectID($0) }).flatMap({ graph.handle(of: $0) }) else {
                return nil
            }
            handle = found
        }
        guard let name = query["$cls"] else { return handle }
        let index = name.stringValue.flatMap { schema.classIndexes[$0] }
        return index.flatMap { schema.isClass(graph[handle].classIndex, $0) ? handle : nil }
    }

    private mutating func perform(
        _ kind: UpdateOperator,
        _ path: String,
        _ value: JSONValue,
        on object: Int,
        _ random: RandomSource
    ) throws(InlineFault) {
        let target = try UpdatePath(path).target(from: object, in: self)
        let property = definition(of: target.handle).properties[target.slot]
        if kind == .set { return try set(value, at: target, property, random) }
        guard property.isArray, target.index == nil else {
            throw InlineFault(path: "", reason: "is not an array")
        }
        var values = [value]
        if case .object(let members) = value, members.count == 1, let each = members["$each"] {
            guard case .array(let elements) = each else { throw InlineFault(path: "$each", reason: "is not an array") }
            values = elements
        }
        guard case .object(let classIndex) = property.kind else {
            return try changeScalars(kind, values, at: target, property)
        }
        guard case .references(var handles) = graph[target.handle].values[target.slot] else { return }
        if kind == .pull {
            let pulled = Set(try pulledObjects(values))
            handles.removeAll { pulled.contains($0) }
        } else {
            var objects = InlineObjects(random: random)
            var present = Set(handles)
            for value in values {
                let handle = try objects.object(value, classIndex: classIndex, in: &self)
                if present.insert(handle).inserted || kind == .push { handles.append(handle) }
            }
        }
        graph.set(target.handle, slot: target.slot, to: .references(handles))
    }

    private mutating func set(
        _ value: JSONValue,
        at target: UpdatePath.Target,
        _ property: Schema.Property,
        _ random: RandomSource
    ) throws(InlineFault) {
        guard let index = target.index else {
            var objects = InlineObjects(random: random)
            try objects.set([property.name: value], of: target.handle, in: &self)
            return try objects.finish(&self)
        }
        switch (graph[target.handle].values[target.slot], property.kind) {
        case (.references(var handles), .object(let classIndex)):
            var objects = InlineObjects(random: random)
            handles[index] = try objects.object(value, classIndex: classIndex, in: &self)
            graph.set(target.handle, slot: target.slot, to: .references(handles))
        case (.scalar(.array(var elements)), _):
            elements[index] = try element(value, property)
            graph.set(target.handle, slot: target.slot, to: .scalar(.array(elements)))
        default:
            throw InlineFault(path: "", reason: "is not an array")
        }
    }

    private mutating func changeScalars(
        _ kind: UpdateOperator,
        _ values: [JSONValue],
        at target: UpdatePath.Target,
        _ property: Schema.Property
    ) throws(InlineFault) {
        guard case .scalar(.array(var elements)) = graph[target.handle].values[target.slot] else { return }
        var stored: [JSONValue] = []
        for value in values { stored.append(try element(value, property)) }
        if kind == .pull {
            let pulled = Set(stored)
            elements.removeAll { pulled.contains($0) }
        } else {
            var present = Set(elements)
            for value in stored where present.insert(value).inserted || kind == .push { elements.append(value) }
        }
        graph.set(target.handle, slot: target.slot, to: .scalar(.array(elements)))
    }

    private func element(_ value: JSONValue, _ property: Schema.Property) throws(InlineFault) -> JSONValue {
        guard case .array(let stored)? = schema.stored([value], property, isOwn: true), let element = stored.first
        else {
            throw InlineFault(path: "", reason: "does not match the type of \"\(property.name)\"")
        }
        return element
    }

    private func pulledObjects(_ values: [JSONValue]) throws(InlineFault) -> [Int] {
        var handles: [Int] = []
        for value in values {
            guard let id = (value["$uuid"] ?? value).stringValue.flatMap({ ObjectID($0) }) else {
                throw InlineFault(path: "", reason: "objects can be removed only by $uuid")
            }
            if let handle = graph.handle(of: id) { handles.append(handle) }
        }
        return handles
    }
}

/// The operators of an update.
private enum UpdateOperator: String {
    case set = "$set"
    case push = "$push"
    case pull = "$pull"
    case addToSet = "$addToSet"
}
