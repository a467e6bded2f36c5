internal import HeliumCore
internal import HeliumJSON

/// An invalid value in a scope file or an update on the server's side, and its path.
struct InlineFault: Error {
    let path: String
    let reason: String
}

/// Creates objects from JSON with inline objects: for initial trees and for updates on the server's side.
///
/// `$uuid` is an object's identifier and `$cls` its class; both are optional. Text refers to an object by its UUID,
/// which may be created later in the same JSON.
struct InlineObjects {
    /// A reference whose object may be created later.
    private enum Element {
        case made(Int)
        case named(ObjectID, path: String)
    }

    private struct Pending {
        let handle: Int
        let slot: Int
        let classIndex: Int
        let isArray: Bool
        let elements: [Element]
    }

    private var pending: [Pending] = []
    private let random: RandomSource
    private static let maximumDepth = 256

    init(random: RandomSource) { self.random = random }

    /// Returns the object that a reference names: a new one, with everything below it, or one in the scope.
    mutating func object(
        _ value: JSONValue,
        classIndex: Int,
        in scope: inout HostedScope,
        at path: String = ""
    ) throws(InlineFault) -> Int {
        let element = try element(value, classIndex, &scope, path, depth: 0)
        try finish(&scope)
        return try resolved(element, classIndex, scope)
    }

    /// Sets properties of an object. References between objects are set by ``finish(_:)``.
    mutating func set(
        _ members: JSONObject,
        of handle: Int,
        in scope: inout HostedScope,
        at path: String = "",
        depth: Int = 0
    ) throws(InlineFault) {
        guard depth < Self.maximumDepth else { throw InlineFault(path: path, reason: "is nested too deeply") }
        let definition = scope.definition(of: handle)
        for (name, value) in members where !name.hasSameBytes(as: "$uuid") && !name.hasSameBytes(as: "$cls") {
            let place = ScopeFileObject.place(name, in: path)
            guard let slot = definition.slots[name] else {
                throw InlineFault(path: place, reason: "the class \(definition.name) does not have this property")
            }
            let property = definition.properties[slot]
            guard case .object(let classIndex) = property.kind else {
                guard let stored = scope.schema.stored(value, property, isOwn: true) else {
                    throw InlineFault(path: place, reason: "does not match the type")
                }
                scope.graph.set(handle, slot: slot, to: .scalar(stored))
                continue
            }
            var elements: [Element] = []
            if property.isArray {
                guard case .array(let values) = value else { throw InlineFault(path: place, reason: "is not an array") }
                for (index, value) in values.enumerated() {
                    elements.append(try element(value, classIndex, &scope, "\(place)[\(index)]", depth: depth + 1))
                }
            } else if !value.isNull {
                elements.append(try element(value, classIndex, &scope, place, depth: depth + 1))
            }
            pending.append(
                Pending(
                    handle: handle,
                    slot: slot,
                    classIndex: classIndex,
                    isArray: property.isArray,
                    elements: elements
                )
            )
        }
        guard scope.graph.byteCount <= scope.limits.bytes else {
            throw InlineFault(path: path, reason: "the scope is full")
        }
    }

    /// Sets the references between the created objects.
    mutating func finish(_ scope: inout HostedScope) throws(InlineFault) {
        defer { pending = [] }
        for item in pending {
            var handles: [Int] = []
            for element in item.elements { handles.append(try resolved(element, item.classIndex, scope)) }
            scope.graph.set(
                item.handle,
                slot: item.slot,
                to: item.isArray ? .references(handles) : .reference(handles.first)
            )
        }
    }

    private func resolved(_ element: Element, _ classIndex: Int, _ scope: HostedScope) throws(InlineFault) -> Int {
        switch element {
        case .made(let handle): return handle
        case .named(let id, let path):
            guard let handle = scope.graph.handle(of: id) else {
                throw InlineFault(path: path, reason: "there is no object \(id.text)")
            }
            guard scope.schema.isClass(scope.graph[handle].classIndex, classIndex) else {
                throw InlineFault(path: path, reason: "is an object of another class")
            }
            return handle
        }
    }

    private mutating func element(
        _ value: JSONValue,
        _ classIndex: Int,
        _ scope: inout HostedScope,
        _ path: String,
        depth: Int
    ) throws(InlineFault) -> Element {
        switch value {
        case .string(let text):
            guard let id = ObjectID(text) else { throw InlineFault(path: path, reason: "is not a UUID") }
            return .named(id, path: path)
        case .object(let members):
            return .made(try made(members, classIndex, &scope, path, depth))
        default:
            throw InlineFault(path: path, reason: "is neither an object nor a UUID")
        }
    }

    private mutating func made(
        _ members: JSONObject,
        _ classIndex: Int,
        _ scope: inout HostedScope,
        _ path: String,
        _ depth: Int
    ) throws(InlineFault) -> Int {
        let id = try Self.id(of: members, at: path)
        if let id, let handle = scope.graph.handle(of: id) {
            guard scope.schema.isClass(scope.graph[handle].classIndex, classIndex) else {
                throw InlineFault(path: path, reason: "is an object of another class")
            }
            try set(members, of: handle, in: &scope, at: path, depth: depth)
            return handle
        }
        let ownClass = try Self.classIndex(of: members, expecting: classIndex, scope, at: path)
        guard scope.graph.count < scope.limits.objects else {
            throw InlineFault(path: path, reason: "the scope has too many objects")
        }
        let handle = scope.graph.create(
            id ?? ObjectID(random: random),
            classIndex: ownClass,
            values: scope.schema.classes[ownClass].initialValues
        )
        try set(members, of: handle, in: &scope, at: path, depth: depth)
        return handle
    }

    /// Returns the identifier in `$uuid`; `nil` if there is none.
    static func id(of members: JSONObject, at path: String) throws(InlineFault) -> ObjectID? {
        guard let value = members["$uuid"] else { return nil }
        guard let id = value.stringValue.flatMap({ ObjectID($0) }) else {
            throw InlineFault(path: ScopeFileObject.place("$uuid", in: path), reason: "is not a UUID")
        }
        return id
    }

    private static func classIndex(
        of members: JSONObject,
        expecting classIndex: Int,
        _ scope: HostedScope,
        at path: String
    ) throws(InlineFault) -> Int {
        guard let value = members["$cls"] else { return classIndex }
        let own = value.stringValue.flatMap { scope.schema.classIndexes[$0] }
        guard let own, scope.schema.isClass(own, classIndex) else {
            let name = scope.schema.classes[classIndex].name
            throw InlineFault(
                path: ScopeFileObject.place("$cls", in: path),
                reason: "is not \(name) or a class derived from it"
            )
        }
        return own
    }
}

extension HostedScope {
    /// Adds the root, which must be the first object, and everything below it.
    mutating func addRoot(_ members: JSONObject, random: RandomSource) throws(InlineFault) {
        let id = try InlineObjects.id(of: members, at: "") ?? ObjectID(random: random)
        let root = graph.create(id, classIndex: rootClass, values: schema.classes[rootClass].initialValues)
        var objects = InlineObjects(random: random)
        try objects.set(members, of: root, in: &self)
        try objects.finish(&self)
    }
}
