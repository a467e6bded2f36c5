// The overloads below are chosen where a property's type is no `ModelValue`. The one of the setter is unavailable, with a text
// for the author; the others only keep the compiler from reporting the same property again.

extension ModelNode {
    /// Reports a property of a type that a model can't have.
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
    /// Stands for a property of a type that a model can't have, which its setter reports.
    @_disfavoredOverload
    public static func stored<Model: ModelObject, Value>(
        _ name: String,
        _ keyPath: KeyPath<Model, Value>,
        get: @escaping (Model) -> Value,
        set: @escaping (Model, Value) -> Void,
        attributes: Attributes = Attributes()
    ) -> ModelProperty {
        .composite(name, keyPath, of: [])
    }
}

extension ModelTeardown {
    /// Stands for a property of a type that a model can't have, which its setter reports.
    @_disfavoredOverload
    public static func release<Value>(_ value: inout Value) {}
}
