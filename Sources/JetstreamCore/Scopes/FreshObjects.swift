internal import HeliumJSON

/// Fills objects that fragments have just created, directly from the frame that contains the fragments.
///
/// No scope, object or observer has access to them yet, so their values are set without notifications. References to
/// other objects are set after all objects have their values, so that objects entering the scope are complete.
struct FreshObjects {
    /// An unset property of an object that refers to other objects.
    struct Reference {
        let object: any ModelObject
        let property: ModelProperty
        let input: ModelInput
    }

    private let scope: Scope
    private let source: ModelSource
    private var plans: [ObjectIdentifier: ReadingPlan] = [:]
    private var last: ReadingPlan?

    init(_ scope: Scope, _ source: ModelSource) { (self.scope, self.source) = (scope, source) }

    /// Sets the values of an object.
    ///
    /// - Parameters:
    ///   - resetsNull: Whether `null` resets a property that cannot be `null` to its default.
    ///   - later: Receives the properties that refer to objects, in the order of the members.
    mutating func fill(
        _ object: any ModelObject,
        _ node: ModelNode,
        with members: ParsedObject,
        resetsNull: Bool,
        later: (Reference) -> Void
    ) {
        // Copies of the fields, because reading `self` in the closure would retain them for each member.
        let (plan, source) = (plan(for: node.schema(of: object)), source)
        var position = 0
        members.forEachMember { name, value in
            let index = plan.index(of: name, at: position)
            position &+= 1
            guard index >= 0 else {
                node.makeExtras().unknownMembers[name.string] = value.value
                return
            }
            // Without any object it is treated like a plain value.
            if plan.isReference[index], !value.isEmptyContainer {
                let property = plan.schema.properties[index]
                return later(Reference(object: object, property: property, input: ModelInput(json: value)))
            }
            // The accessors are not kept in a variable, which would retain them.
            let outcome = plan.accesses[index]?.readInput(object, ModelInput(json: value), source)
            if outcome == .null, resetsNull {
                plan.accesses[index]?.reset(object, scope.prototype(of: plan.schema))
            }
        }
    }

    private mutating func plan(for schema: ModelSchema) -> ReadingPlan {
        if let last, last.schema === schema { return last }
        let plan = plans[ObjectIdentifier(schema)] ?? ReadingPlan(schema)
        plans[ObjectIdentifier(schema)] = plan
        last = plan
        return plan
    }
}

/// The properties of a class in the order of the members of its last object. Other objects mostly have the same order.
private final class ReadingPlan {
    let schema: ModelSchema
    /// The accessors of each property, by its index; `nil` if it is not set from the wire. An array of their closures
    /// would call them through thunks.
    let accesses: [ModelProperty.Access?]
    /// Whether each property is set from the wire and refers to other objects.
    let isReference: [Bool]
    /// The bytes of each property's name.
    private let names: [[UInt8]]
    /// The index of the property that is expected at each position; negative for a member without a property. It is
    /// accessed for each member, and no code runs during an access.
    @exclusivity(unchecked) private var expected: [Int]

    init(_ schema: ModelSchema) {
        self.schema = schema
        accesses = schema.properties.map { $0.isSynced ? $0.access : nil }
        isReference = schema.properties.map { $0.isSynced && $0.objectType != nil }
        names = schema.properties.map { Array($0.name.utf8) }
        expected = schema.properties.map { property in
            // If two properties have the same name, the first one counts.
            let isFirst = schema.property(named: property.name) === property
            return isFirst && !property.isComposite ? property.index : -1
        }
    }

    /// Returns the index of the property with a member's name; negative if there is none or it is computed.
    @inline(__always)
    func index(of name: JSONName, at position: Int) -> Int {
        if position < expected.count {
            let index = expected[position]
            if index >= 0, names[index].withUnsafeBufferPointer({ name.hasBytes($0) }) { return index }
        }
        return find(name, at: position)
    }

    private func find(_ name: JSONName, at position: Int) -> Int {
        guard let property = schema.property(named: name.string), !property.isComposite else { return -1 }
        // At most as many as the class has, regardless of the number of members that a peer sends.
        if position < expected.count { expected[position] = property.index }
        return property.index
    }
}
