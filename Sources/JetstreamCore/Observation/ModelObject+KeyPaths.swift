// A subclass has a different key path for an inherited property than the class that declares it, whose key path is in the
// schema. Key paths have no names, but they can be read: both key paths call the same getter, which reads the same stored
// properties.

extension ModelObject {
    /// Returns the properties whose changes are those of a key path, which must be the key path of a property.
    ///
    /// Several properties of one type may fit the key path, because a getter may read only some of the properties that
    /// its value depends on. In this case the result is the stored properties that any of them is computed from, so that
    /// no change is missed.
    func properties(_ keyPath: PartialKeyPath<Self>) -> [ModelProperty] {
        let schema = modelNode.schema(of: self)
        let candidates = candidates(keyPath)
        if candidates.count == 1 { return candidates }
        // A stored property can be set through its key path. Most composites cannot.
        let isSettable = keyPath.isSettable
        let similar = candidates.filter { $0.keyPath.isSettable == isSettable }
        if similar.count == 1 { return similar }
        let sources = (similar.isEmpty ? candidates : similar).flatMap { schema.sourceIndexes(of: $0) }
        return Set(sources).sorted().map { schema.properties[$0] }
    }

    /// Returns the array of a key path, which must be the key path of a property.
    func arrayProperty(_ keyPath: PartialKeyPath<Self>) -> ModelProperty {
        let candidates = candidates(keyPath)
        return candidates.first(where: \.isArray) ?? candidates[0]
    }

    /// Returns the properties that a key path may belong to: at least one.
    private func candidates(_ keyPath: PartialKeyPath<Self>) -> [ModelProperty] {
        let schema = modelNode.schema(of: self)
        if let property = schema.property(at: keyPath) { return [property] }
        let read = keyPathsRead { _ = self[keyPath: keyPath] }
        let valueType = type(of: keyPath).valueType
        let found = schema.properties.filter { property in
            guard type(of: property.keyPath).valueType == valueType else { return false }
            guard property.isComposite else { return read == [property.keyPath] }
            return read == keyPathsRead { _ = self[keyPath: property.keyPath] }
        }
        if !found.isEmpty { return found }
        // A computed property that is not part of the model, or a key path through a property.
        let stored = schema.properties.filter { read.contains($0.keyPath) }
        precondition(!stored.isEmpty, "\(schema.className) has no property for the key path \(keyPath)")
        return stored
    }

    /// Returns the key paths of the stored properties of this object that `body` reads, in the order of reading.
    private func keyPathsRead(by body: () -> Void) -> [AnyKeyPath] {
        let node = modelNode
        let (registrar, extras) = (node.registrar, node.makeExtras())
        node.registrar = nil
        node.flags.insert(.isProbed)
        body()
        node.flags.remove(.isProbed)
        node.registrar = registrar
        defer { extras.probed = [] }
        return extras.probed
    }
}

extension AnyKeyPath {
    /// Whether a property of an object can be set through the key path.
    fileprivate var isSettable: Bool {
        func openRoot<Root>(_: Root.Type) -> Bool {
            func openValue<Value>(_: Value.Type) -> Bool { self is ReferenceWritableKeyPath<Root, Value> }
            return _openExistential(type(of: self).valueType, do: openValue)
        }
        return _openExistential(type(of: self).rootType, do: openRoot)
    }
}
