// The overloads below are chosen if the type of a property is not a `ModelValue`. The overload of the setter is
// unavailable, with a message for the author. The others prevent the compiler from reporting the same property again.

extension ModelNode {
    /// Reports a property whose type is not valid in a model.
    @available(
        *,
        unavailable,
        message: """
            the type of a model's property must be a ModelValue: String, Bool, a number, Date, Data, UUID, RGBAColor, an \
            enum that is a ModelScalar, an optional or an array of these, an optional model, or an array of models; \
            '@Ignored' leaves the property out
            """
    )
    @_disfavoredOverload
    public func mutate<Model, Value>(
        _ model: Model,
        _ keyPath: @autoclosure () -> KeyPath<Model, Value>,
        in schema: @autoclosure () -> ModelSchema,
        at ordinal: Int,
        from old: Value,
        to new: Value,
        _ store: () -> Void
    ) {}
}

extension ModelProperty {
    /// Replaces a property whose type is not valid in a model. The property's setter reports the error.
    @_disfavoredOverload
    public static func stored<Model: ModelObject, Value>(
        _ name: String,
        _ keyPath: KeyPath<Model, Value>,
        get: @escaping (Model) -> Value,
        set: @escaping (Model, Value) -> Void,
        attributes: Attributes = Attributes(),
        declaredAs declaredName: String? = nil
    ) -> ModelProperty {
        .composite(name, keyPath, of: [])
    }
}

extension ModelTeardown {
    /// Does nothing for a property whose type is not valid in a model. The property's setter reports the error.
    @_disfavoredOverload
    public static func release<Value>(_ value: inout Value) {}
}
