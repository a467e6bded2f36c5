public import Foundation
internal import HeliumCore
public import HeliumJSON

/// The schema of model classes and the initial content of their scopes, in the form of a scope file for a Jetstream
/// server.
///
/// Use it if the classes of an app define the schema, instead of a hand-written file. `ScopeFile` of `JetstreamHosting`
/// reads the value:
///
/// ```swift
/// let models = try ModelScopeFile(scope: "Canvas", root: Canvas.self)
/// let server = try JetstreamServer(.init(scopes: ScopeFile(models.value)))
/// ```
///
/// The file contains the root's class, the classes that its properties name, their superclasses, the given subclasses,
/// and the classes of the objects in the initial trees. A synced property is written with its type and, as its default,
/// the value of a new object. The file differs from the classes in three points:
///
/// - Local and composite properties are left out.
/// - An enumeration that is not `CaseIterable` is written as the type of its raw values, which the server does not
///   check. An optional enumeration is written the same way, because a server rejects `null` for an enumeration.
/// - A subclass that changes the default of an inherited property is written without that default.
public struct ModelScopeFile {
    private struct ScopeEntry {
        let name: String
        let root: String
        let initial: JSONObject
    }

    /// The classes, in the order in which they were found.
    private var schemas: [ModelSchema] = []
    private var classes: [ByteText: ModelSchema] = [:]
    /// The values of properties of new objects, by declaring class.
    private var defaults: [ObjectIdentifier: JSONValue] = [:]
    private var scopes: [ScopeEntry] = []

    /// Creates a file without scopes.
    public init() {}

    /// Creates a file with one scope, whose initial tree is a new object of the root's class.
    ///
    /// - Parameters:
    ///   - name: The name of the scope.
    ///   - root: The class of the root.
    ///   - subclasses: Model classes that no property names: subclasses that clients may instantiate.
    /// - Throws: The errors of ``addScope(_:initial:subclasses:)``.
    public init(
        scope name: String,
        root: any ModelObject.Type,
        subclasses: [any ModelObject.Type] = []
    ) throws(JetstreamError) {
        try addScope(name, root: root, subclasses: subclasses)
    }

    /// Adds a scope whose initial tree is a new object of the root's class.
    ///
    /// - Parameters:
    ///   - name: The name of the scope.
    ///   - root: The class of the root.
    ///   - subclasses: Model classes that no property names: subclasses that clients may instantiate.
    /// - Throws: The errors of ``addScope(_:initial:subclasses:)``.
    public mutating func addScope(
        _ name: String,
        root: any ModelObject.Type,
        subclasses: [any ModelObject.Type] = []
    ) throws(JetstreamError) {
        try addScope(name, initial: root.init(uuid: .unassigned), subclasses: subclasses)
    }

    /// Adds a scope with an initial tree.
    ///
    /// Objects that have an identifier keep it. An object with several references is written inline once.
    ///
    /// - Parameters:
    ///   - name: The name of the scope.
    ///   - prototype: The root of the tree. It is not changed and does not become part of a scope.
    ///   - subclasses: Model classes that no property names: subclasses that clients may instantiate.
    /// - Throws: ``JetstreamError`` of kind `invalidConfiguration` if two classes have the same name, or if the tree
    ///   exceeds the maximum depth of a scope file.
    public mutating func addScope(
        _ name: String,
        initial prototype: any ModelObject,
        subclasses: [any ModelObject.Type] = []
    ) throws(JetstreamError) {
        try add([type(of: prototype).modelSchema] + subclasses.map { $0.modelSchema })
        var tree = InlineTree(root: prototype)
        try add(tree.objects.map { type(of: $0).modelSchema })
        scopes.append(
            ScopeEntry(
                name: name,
                root: prototype.className,
                initial: try tree.value { [defaults] in defaults[ObjectIdentifier($0)] }
            )
        )
    }

    /// Adds classes and all classes that they lead to.
    private mutating func add(_ new: [ModelSchema]) throws(JetstreamError) {
        var (waiting, next) = (new, 0)
        while next < waiting.count {
            let schema = waiting[next]
            next += 1
            if let known = classes[schema.className] {
                if known.objectType == schema.objectType { continue }
                throw JetstreamError(
                    .invalidConfiguration,
                    "two model classes are named \(PeerText.shortened(schema.className, to: 100)): use @ClassName",
                    delivery: .notSent
                )
            }
            classes[schema.className] = schema
            schemas.append(schema)
            let object = schema.objectType.init(uuid: .unassigned)
            for property in schema.properties[schema.inheritedCount...] {
                guard property.isSynced, property.objectType == nil else { continue }
                defaults[ObjectIdentifier(property)] = property.access?.json(object, ModelFormat())
            }
            if let superclass = schema.superclass { waiting.append(superclass) }
            for property in schema.properties where property.isSynced {
                if let type = property.objectType { waiting.append(type.modelSchema) }
            }
        }
    }
}

// MARK: Writing

extension ModelScopeFile {
    /// The file as a JSON value: `enumerations`, `classes` and `scopes`.
    public var value: JSONValue {
        var enumerations = EnumerationNames(taken: Set(schemas.map { ByteText($0.className) }))
        let classes = schemas.map { schema in
            (schema.className, Self.value(of: schema, defaults, &enumerations))
        }
        let scopes = scopes.map { scope -> (String, JSONValue) in
            var object: JSONObject = ["root": .string(scope.root)]
            if !scope.initial.isEmpty { object["initial"] = .object(scope.initial) }
            return (scope.name, .object(object))
        }
        var file = JSONObject()
        if !enumerations.members.isEmpty { file["enumerations"] = .object(enumerations.members) }
        file["classes"] = .object(JSONObject(classes))
        file["scopes"] = .object(JSONObject(scopes))
        return .object(file)
    }

    /// Returns the file as indented text that ends with a line break.
    public func data() -> Data { value.data(formatting: .pretty) + Data("\n".utf8) }

    private static func value(
        of schema: ModelSchema,
        _ defaults: [ObjectIdentifier: JSONValue],
        _ enumerations: inout EnumerationNames
    ) -> JSONValue {
        var properties: [(String, JSONValue)] = []
        for property in schema.properties[schema.inheritedCount...] {
            // If two properties have the same name, the first one counts.
            guard property.isSynced, schema.property(named: property.name) === property else { continue }
            let type = Self.typeName(of: property, in: schema, &enumerations)
            let value = defaults[ObjectIdentifier(property)] ?? .null
            let isEmpty = value.isNull || value.arrayValue?.isEmpty == true
            properties.append((property.name, isEmpty ? type : ["type": type, "default": value]))
        }
        var object = JSONObject()
        if let superclass = schema.superclass { object["inherits"] = .string(superclass.className) }
        object["properties"] = .object(JSONObject(properties))
        return .object(object)
    }

    /// Returns the type of a property: a name, or an array that contains one.
    private static func typeName(
        of property: ModelProperty,
        in schema: ModelSchema,
        _ enumerations: inout EnumerationNames
    ) -> JSONValue {
        func name(_ kind: ModelKind, isOptional: Bool = false) -> String {
            switch kind {
            case .string: return "string"
            case .number: return "number"
            case .boolean: return "boolean"
            case .date: return "date"
            case .reference: return property.objectType?.modelSchema.className ?? "string"
            case .optional(let wrapped): return name(wrapped, isOptional: true)
            case .array(let element): return name(element)
            case .enumeration(let type, let raw, let values):
                let isListed = !isOptional && !values.isEmpty && (raw == .number || raw == .string)
                guard isListed, !values.contains(.null) else { return name(raw) }
                return enumerations.name(of: type, values, in: schema.className)
            }
        }
        let name = JSONValue.string(name(property.kind ?? .string))
        return property.isArray ? [name] : name
    }
}

/// The names of enumerations in a file. Two Swift types nested in different types may have the same name.
private struct EnumerationNames {
    /// The names of classes and of the scalar types.
    let taken: Set<ByteText>
    private(set) var members = JSONObject()

    init(taken: Set<ByteText>) { self.taken = taken.union(["string", "number", "boolean", "date"]) }

    /// Returns the name of an enumeration in the file.
    mutating func name(of type: String, _ values: [JSONValue], in className: String) -> String {
        let kind: JSONValue = values.first?.numberValue != nil ? "number" : "string"
        let value: JSONValue = ["type": kind, "values": .array(values)]
        var (name, number) = (type, 1)
        while taken.contains(ByteText(name)) || (members[name] ?? value) != value {
            name = number == 1 ? "\(className).\(type)" : "\(className).\(type) \(number)"
            number += 1
        }
        members[name] = value
        return name
    }
}
