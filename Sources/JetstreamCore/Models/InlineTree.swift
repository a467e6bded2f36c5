internal import HeliumCore
internal import HeliumJSON

/// A tree of objects in the form of a scope file. Each object is written inline where it is reached first, and as an
/// identifier elsewhere.
struct InlineTree {
    /// A reference: the property of an object, and the position in an array.
    private struct Place: Hashable {
        let object: Int
        let property: Int
        let position: Int
    }

    /// The objects. Those nearer to the root come first, which keeps the document as shallow as possible.
    private(set) var objects: [any ModelObject] = []
    /// The depth in the document of each object.
    private var depths: [Int] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// The inline objects, by reference.
    private var inline: [Place: Int] = [:]
    /// The objects that are also referred to by identifier.
    private var referred: Set<Int> = []

    /// The maximum depth of a scope file.
    private static let maximumDepth = 256
    /// The depth of the root in `{"scopes":{"Board":{"initial":{…}}}}`.
    private static let rootDepth = 4

    init(root: any ModelObject) {
        add(root, depth: Self.rootDepth)
        var next = 0
        while next < objects.count {
            forEachReference(of: next) { tree, place, property, child in
                if let number = tree.numbers[ObjectIdentifier(child)] {
                    tree.referred.insert(number)
                } else if property.holdsModels {
                    tree.inline[place] = tree.objects.count
                    tree.add(child, depth: tree.depths[place.object] + (property.isArray ? 2 : 1))
                }
            }
            next += 1
        }
        // A weak reference may precede the inline form of its object.
        for number in objects.indices {
            forEachReference(of: number) { tree, _, property, child in
                guard !property.holdsModels, let number = tree.numbers[ObjectIdentifier(child)] else { return }
                tree.referred.insert(number)
            }
        }
    }

    private mutating func add(_ object: any ModelObject, depth: Int) {
        numbers[ObjectIdentifier(object)] = objects.count
        objects.append(object)
        depths.append(depth)
    }

    private mutating func forEachReference(
        of number: Int,
        _ body: (inout InlineTree, Place, ModelProperty, any ModelObject) -> Void
    ) {
        let object = objects[number]
        for property in type(of: object).modelSchema.properties where property.isSynced && property.objectType != nil {
            var children: [any ModelObject] = []
            property.access?.forEachObject(object) { children.append($0) }
            for (position, child) in children.enumerated() {
                body(&self, Place(object: number, property: property.index, position: position), property, child)
            }
        }
    }

    /// Returns the members of the root, with everything below it inline.
    ///
    /// - Parameter defaultValue: Returns the value of an unnamed scalar property of an object.
    mutating func value(defaultValue: (ModelProperty) -> JSONValue?) throws(JetstreamError) -> JSONObject {
        if let depth = depths.max(), depth > Self.maximumDepth {
            throw JetstreamError(
                .invalidConfiguration,
                "the initial tree is nested \(depth) deep: the limit for a scope file is \(Self.maximumDepth)",
                delivery: .notSent
            )
        }
        var written = [JSONObject](repeating: JSONObject(), count: objects.count)
        // The children of an object have higher numbers.
        for number in objects.indices.reversed() {
            let object = objects[number]
            var members = written[number]
            let isIdentified = object.modelNode.flags.contains(.isIdentified)
            if isIdentified || referred.contains(number) { members["$uuid"] = .string(object.uuid.wireText) }
            for property in type(of: object).modelSchema.properties where property.isSynced {
                if property.objectType == nil {
                    let value = property.access?.json(object, ModelFormat()) ?? .null
                    if value != defaultValue(property) ?? .null { members[property.name] = value }
                } else if let value = references(number, property, &written) {
                    members[property.name] = value
                }
            }
            written[number] = members
        }
        return written[0]
    }

    /// Returns the value of a property that refers to objects; `nil` if it refers to none.
    private func references(_ number: Int, _ property: ModelProperty, _ written: inout [JSONObject]) -> JSONValue? {
        let declared = property.objectType?.modelSchema.className ?? ""
        var elements: [JSONValue] = []
        var position = 0
        property.access?.forEachObject(objects[number]) { child in
            defer { position += 1 }
            guard let childNumber = numbers[ObjectIdentifier(child)] else { return }
            let place = Place(object: number, property: property.index, position: position)
            guard inline[place] == childNumber else { return elements.append(.string(child.uuid.wireText)) }
            var members = written[childNumber]
            written[childNumber] = JSONObject()
            if !child.className.hasSameBytes(as: declared) { members["$cls"] = .string(child.className) }
            elements.append(.object(members))
        }
        if property.isArray { return elements.isEmpty ? nil : .array(elements) }
        return elements.first
    }
}
