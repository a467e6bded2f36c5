public import HeliumJSON

/// A property of an object that refers to another object.
public struct ParentRelationship {
    /// The referring object.
    public let parent: any ModelObject
    /// The name of the property on the wire.
    public let key: String
}

extension ModelObject {
    /// The scope that the object belongs to; `nil` if there is none.
    public var scope: Scope? { modelNode.scope }

    /// The properties of other objects that refer to this one, with one element for each parent and property. Objects
    /// that are being freed are not included, also in a deinitializer of an object below them.
    public var parents: [ParentRelationship] {
        var parents: [ParentRelationship] = []
        modelNode.forEachParent { parent, property in
            parent.withProperty(property) { parents.append(ParentRelationship(parent: $0, key: $1)) }
            return true
        }
        return parents
    }

    /// The objects that properties refer to, in the order of the properties. An object may occur twice.
    public var childModelObjects: [any ModelObject] {
        var children: [any ModelObject] = []
        modelNode.schema(of: self).forEachObject(of: self) { children.append($0) }
        return children
    }

    /// Removes the object from all properties that refer to it.
    public func detach() {
        var links: [(ModelNode, Int)] = []
        modelNode.forEachParent { parent, property in
            links.append((parent, property))
            return true
        }
        for (parent, property) in links {
            guard !parent.flags.contains(.isPlaceholder), let object = parent.livingModel else { continue }
            parent.schema(of: object).properties[property].access?.remove(object, self)
        }
    }

    /// Makes the object the root of an empty scope. It is first removed from the properties of its parents.
    public func setScopeAndMakeRootModel(_ scope: Scope) { scope.setRoot(self) }

    /// Whether the object is the root of its scope.
    ///
    /// Setting `true` creates a scope that is named after the class and owned by the object: a local tree, which does
    /// not record changes. Setting `false` removes the object and everything below it from the scope.
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

/// The error of setting a property by name. It never contains the value.
public struct ModelKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error.
    public enum Reason: String, Sendable {
        /// The class has no property with that name.
        case unknownProperty = "the property does not exist"
        /// The property is computed.
        case readOnly = "the property is computed and read-only"
        /// The value is of another kind than the property, out of range, or the identifier of an unknown object.
        case unfitValue = "the value does not match the type of the property"
        /// The object is of another class than the property.
        case wrongClass = "the object does not have the class of the property"
    }

    /// The reason of the error.
    public let reason: Reason
    /// The class of the object.
    public let className: String
    /// The given name.
    public let key: String

    /// The property and the reason.
    public var description: String { "\(className).\(key.excerpt(100)): \(reason.rawValue)" }
}

extension ModelObject {
    /// Returns the value of a property as sent on the wire; `nil` if there is no such property or it is computed.
    public func json(forKey key: String) -> JSONValue? {
        let node = modelNode
        guard let property = node.schema(of: self).property(named: key), !property.isComposite else { return nil }
        node.bind(self)
        return node.json(property, node.home?.format ?? ModelFormat())
    }

    /// Sets a property to a value from the wire. The change is observed and recorded like any other.
    ///
    /// - Throws: ``ModelKeyError`` if there is no such property or if the value does not fit.
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
    /// The fragments of a full state: the root as a change, all other objects as adds in the order in which they are
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
