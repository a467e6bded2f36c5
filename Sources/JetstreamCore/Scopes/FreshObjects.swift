internal import HeliumJSON

/// Fills objects that fragments have just made, straight from the frame that the fragments stand in.
///
/// No scope, no object and no observer knows them yet, so that their values are set without notice. References to others follow
/// when all objects have their values: what enters the scope is complete.
struct FreshObjects {
    /// What is left of an object: a property that refers to others.
    struct Reference {
        let object: any ModelObject
        let property: ModelProperty
        let input: ModelInput
    }

    /// The properties in the order in which the members of the last object of a class came. Others mostly come in the same.
    private struct Order {
        let schema: ModelSchema
        var properties: [ModelProperty?]
    }

    private let scope: Scope
    private let source: ModelSource
    private var orders: [Order] = []
    private var indexes: [ObjectIdentifier: Int] = [:]
    private var last = 0

    init(_ scope: Scope, _ source: ModelSource) { (self.scope, self.source) = (scope, source) }

    /// Sets the values of an object.
    ///
    /// - Parameters:
    ///   - resetsNull: Whether `null` is the default of a property that has no such value.
    ///   - later: Gets what refers to objects, in the order of the members.
    mutating func fill(
        _ object: any ModelObject,
        with members: ParsedObject,
        resetsNull: Bool,
        later: (Reference) -> Void
    ) {
        let node = object.modelNode
        let schema = node.schema(of: object)
        let order = order(of: schema)
        var position = 0
        members.forEachMember { name, value in
            let property = property(named: name, at: position, in: order)
            position += 1
            guard let property, let access = property.access else {
                node.makeExtras().unknownMembers[name.string] = value.value
                return
            }
            guard property.isSynced else { return }
            let input = ModelInput(json: value)
            // Without any object it is a value like others.
            if property.objectType != nil, !value.isEmptyContainer {
                return later(Reference(object: object, property: property, input: input))
            }
            if access.readInput(object, input, source) == .null, resetsNull {
                access.reset(object, scope.prototype(of: schema))
            }
        }
    }

    /// The place of a class's order in ``orders``.
    private mutating func order(of schema: ModelSchema) -> Int {
        if last < orders.count, orders[last].schema === schema { return last }
        if let found = indexes[ObjectIdentifier(schema)] {
            last = found
        } else {
            last = orders.count
            indexes[ObjectIdentifier(schema)] = last
            orders.append(Order(schema: schema, properties: schema.properties))
        }
        return last
    }

    private mutating func property(named name: JSONName, at position: Int, in order: Int) -> ModelProperty? {
        let isKnown = position < orders[order].properties.count
        if isKnown, let expected = orders[order].properties[position], name.hasBytes(expected.nameBytes) {
            return expected
        }
        let found = orders[order].schema.property(named: name.string)
        // No more than a class has, however many members a peer sends.
        if isKnown { orders[order].properties[position] = found }
        return found
    }
}
