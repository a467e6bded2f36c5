public import HeliumJSON

// MARK: Scalars

extension ModelScalar {
    /// `false`: scalars do not refer to objects.
    @inlinable
    public static var holdsModels: Bool { false }

    /// `nil`: scalars do not refer to objects.
    @inlinable
    public static var modelObjectType: (any ModelObject.Type)? { nil }

    /// `nil`: a scalar is not an object.
    public var asModelObject: (any ModelObject)? { nil }

    /// Does nothing, because scalars do not refer to objects.
    @inlinable
    public func forEachModelObject(_ body: (any ModelObject) -> Void) {}

    /// Returns no difference, because scalars do not refer to objects.
    @inlinable
    public static func modelDifference(from old: Self, to new: Self) -> ModelDifference { .none }

    /// `nil`: scalars do not refer to objects.
    @inlinable
    public static var withoutModels: Self? { nil }

    /// Returns the value itself.
    @inlinable
    public func removingModel(_ object: any ModelObject) -> Self { self }

    /// Reads a value. A value of another kind is ignored.
    @inlinable
    public static func readModelJSON(_ json: JSONValue, _ source: ModelSource) -> ModelReading<Self> {
        if let value = fromModelJSON(json, source) { return .value(value) }
        return json.isNull ? .null : .ignored
    }
}

// MARK: Optionals

extension Optional: ModelValue where Wrapped: ModelElement {
    /// The optional of the wrapped kind.
    @inlinable
    public static var modelKind: ModelKind { .optional(Wrapped.modelKind) }

    /// Whether the wrapped type is a model class.
    @inlinable
    public static var holdsModels: Bool { Wrapped.modelObjectType != nil }

    /// The wrapped class.
    @inlinable
    public static var modelObjectType: (any ModelObject.Type)? { Wrapped.modelObjectType }

    /// Returns whether both are `nil` or the same.
    @inlinable
    public static func isSame(_ left: Wrapped?, _ right: Wrapped?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): Wrapped.isSame(left, right)
        default: false
        }
    }

    /// Returns the wrapped value as sent on the wire, or `null`.
    @inlinable
    public func modelJSON(_ format: ModelFormat) -> JSONValue { self?.modelJSON(format) ?? .null }

    /// Reads a value. `null`, values of another kind and unknown objects become `nil`.
    @inlinable
    public static func readModelJSON(_ json: JSONValue, _ source: ModelSource) -> ModelReading<Self> {
        if json.isNull { return .value(nil) }
        if let value = Wrapped.fromModelJSON(json, source) { return .value(value) }
        // An unknown value of an enumeration comes from a later version, so it is ignored.
        if case .enumeration = Wrapped.modelKind { return .ignored }
        if Wrapped.modelObjectType != nil, case .string(let id) = json, let object = source.object(id) {
            return object.isPlaceholder ? .value(nil) : .wrongClass
        }
        return .value(nil)
    }

    /// Calls `body` with the object if there is one.
    @inlinable
    public func forEachModelObject(_ body: (any ModelObject) -> Void) {
        if let object = self?.asModelObject { body(object) }
    }

    /// Returns the old object and the new one.
    @inlinable
    public static func modelDifference(from old: Self, to new: Self) -> ModelDifference {
        ModelDifference(
            removed: old?.asModelObject.map { [$0] } ?? [],
            added: new?.asModelObject.map { [$0] } ?? []
        )
    }

    /// `nil` as a value if the wrapped type is a model class.
    @inlinable
    public static var withoutModels: Self? { holdsModels ? .some(nil) : nil }

    /// Returns `nil` in place of the object.
    @inlinable
    public func removingModel(_ object: any ModelObject) -> Self {
        self?.asModelObject.map { $0 === object } ?? false ? nil : self
    }
}

// MARK: Arrays

extension Array: ModelValue where Element: ModelElement {
    /// An array of the kind of the elements.
    @inlinable
    public static var modelKind: ModelKind { .array(Element.modelKind) }

    /// Whether the elements are models.
    @inlinable
    public static var holdsModels: Bool { Element.modelObjectType != nil }

    /// The class of the elements.
    @inlinable
    public static var modelObjectType: (any ModelObject.Type)? { Element.modelObjectType }

    /// Returns whether the elements are the same, in the same order.
    @inlinable
    public static func isSame(_ left: [Element], _ right: [Element]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy(Element.isSame)
    }

    /// Returns the elements as sent on the wire.
    @inlinable
    public func modelJSON(_ format: ModelFormat) -> JSONValue { .array(map { $0.modelJSON(format) }) }

    /// Reads an array. Unknown objects are left out. `null` empties an array of objects.
    @inlinable
    public static func readModelJSON(_ json: JSONValue, _ source: ModelSource) -> ModelReading<Self> {
        guard case .array(let elements) = json else {
            guard json.isNull else { return .ignored }
            return Element.modelObjectType == nil ? .null : .value([])
        }
        var values: [Element] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            if let value = Element.fromModelJSON(element, source) {
                values.append(value)
            } else if Element.modelObjectType == nil {
                return .ignored
            } else if case .string(let id) = element, let object = source.object(id), !object.isPlaceholder {
                return .wrongClass
            }
        }
        return .value(values)
    }

    /// Calls `body` with each object.
    @inlinable
    public func forEachModelObject(_ body: (any ModelObject) -> Void) {
        guard Self.holdsModels else { return }
        for element in self {
            if let object = element.asModelObject { body(object) }
        }
    }

    /// Returns the elements that differ, without the common beginning and the common end of both arrays.
    @inlinable
    public static func modelDifference(from old: [Element], to new: [Element]) -> ModelDifference {
        guard holdsModels else { return .none }
        let shorter = Swift.min(old.count, new.count)
        var start = 0
        while start < shorter, Element.isSame(old[start], new[start]) { start += 1 }
        var end = 0
        while end < shorter - start, Element.isSame(old[old.count - 1 - end], new[new.count - 1 - end]) { end += 1 }
        return ModelDifference(
            removed: old[start..<(old.count - end)].compactMap(\.asModelObject),
            added: new[start..<(new.count - end)].compactMap(\.asModelObject),
            start: start
        )
    }

    /// An empty array if the elements are model objects.
    @inlinable
    public static var withoutModels: Self? { holdsModels ? [] : nil }

    /// Returns the array without an object.
    @inlinable
    public func removingModel(_ object: any ModelObject) -> Self {
        filter { element in element.asModelObject.map { $0 !== object } ?? true }
    }
}
