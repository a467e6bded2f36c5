public import HeliumJSON

/// A property of an object that refers to another object.
public struct ParentRelationship {
    /// The object that refers.
    public let parent: any ModelObject
    /// The property's name on the wire.
    public let key: String
}

extension ModelObject {
    /// The scope whose part the object is; `nil` for none.
    public var scope: Scope? { modelNode.scope }

    /// The properties of other objects that refer to this one, one for each parent and property.
    public var parents: [ParentRelationship] {
        var parents: [ParentRelationship] = []
        modelNode.forEachParent { parent, property in
            parent.withProperty(property) { parents.append(ParentRelationship(parent: $0, key: $1)) }
            return true
        }
        return parents
    }

    /// The objects that properties refer to, in the order of the properties. An object may come twice.
    public var childModelObjects: [any ModelObject] {
        var children: [any ModelObject] = []
        modelNode.schema(of: self).forEachObject(of: self) { children.append($0) }
        return children
    }

    /// Takes the object out of all properties that refer to it.
    public func detach() {
        var links: [(ModelNode, Int)] = []
        modelNode.forEachParent { parent, property in
            links.append((parent, property))
            return true
        }
        for (parent, property) in links {
            guard !parent.flags.contains(.isPlaceholder), let object = parent.model else { continue }
            parent.schema(of: object).properties[property].access?.remove(object, self)
        }
    }

    /// Makes the object the root of an empty scope. It is first taken out of its parents' properties.
    public func setScopeAndMakeRootModel(_ scope: Scope) { scope.setRoot(self) }

    /// Whether the object is the root of its scope.
    ///
    /// Setting `true` makes a scope for the object, named after the class and owned by the object: a local tree, which
    /// records no changes. Setting `false` takes the object and what is below out of the scope.
    public var isScopeRoot: Bool {
        get { modelNode.scope.map { $0.rootNode === modelNode } ?? false }
        set {
            if newValue == isScopeRoot { return }
            if newValue {
                let scope = Scope(name: className)
                scope.setRoot(self, isOwned: false)
                modelNode.makeExtras().ownScope = scope
            } else {
                modelNode.scope?.removeRoot()
                modelNode.extras?.ownScope = nil
            }
        }
    }
}

// MARK: By name

/// Why a property could not be set by its name. It never holds the value.
public struct ModelKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistake.
    public enum Reason: String, Sendable {
        /// The class has no property of that name.
        case unknownProperty = "no such property"
        /// The property is computed.
        case readOnly = "the property is computed from others"
        /// The value is of another kind than the property, out of its range, or the identifier of no known object.
        case unfitValue = "the value does not fit the property"
        /// The object is of another class than the property.
        case wrongClass = "the object is of another class than the property"
    }

    /// The mistake.
    public let reason: Reason
    /// The object's class.
    public let className: String
    /// The name that was given.
    public let key: String

    /// The property and what was wrong.
    public var description: String { "\(className).\(key.excerpt(100)): \(reason.rawValue)" }
}

extension ModelObject {
    /// The value of a property as it stands on the wire; `nil` if there is no such property or it is computed.
    public func json(forKey key: String) -> JSONValue? {
        let node = modelNode
        guard let property = node.schema(of: self).property(named: key), !property.isComposite else { return nil }
        node.bind(self)
        return node.json(property, node.home?.format ?? ModelFormat())
    }

    /// Sets a property to a value as it stands on the wire. It is observed and recorded like any other change.
    ///
    /// - Throws: ``ModelKeyError`` if there is no such property or the value does not fit.
    public func setJSON(_ value: JSONValue, forKey key: String) throws(ModelKeyError) {
        let schema = modelNode.schema(of: self)
        func error(_ reason: ModelKeyError.Reason) -> ModelKeyError {
            ModelKeyError(reason: reason, className: schema.className, key: key)
        }
        guard let property = schema.property(named: key) else { throw error(.unknownProperty) }
        guard let access = property.access else { throw error(.readOnly) }
        switch access.read(self, value, modelNode.scope?.source() ?? .none) {
        case .set: return
        case .ignored, .null: throw error(.unfitValue)
        case .wrongClass: throw error(.wrongClass)
        }
    }
}

extension Scope {
    /// All that there is, as a full state says it: the root as a change, all others as adds in the order in which they are
    /// reached.
    public var stateFragments: [SyncFragment] {
        guard let rootNode else { return [] }
        searches &+= 1
        let search = searches
        var fragments: [SyncFragment] = []
        fragments.reserveCapacity(objects.nodes.count + 1)
        var waiting = [rootNode]
        var children: [ModelNode] = []
        while let node = waiting.popLast() {
            guard node.mark != search else { continue }
            node.mark = search
            if var fragment = node.addFragment(format) {
                if node === rootNode { fragment.kind = .change }
                fragments.append(fragment)
            }
            node.forEachChild { child in
                if child.modelNode.isIn(self) { children.append(child.modelNode) }
            }
            while let child = children.popLast() { waiting.append(child) }
        }
        return fragments
    }
}
