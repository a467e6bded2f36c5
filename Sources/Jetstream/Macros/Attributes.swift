/// Names a model's class on the wire, where it is not the class's own name.
///
/// Use it to rename a class without a change of the server's, or for two classes of one name in different modules.
///
/// - Parameter name: The name, a literal. It is not empty and has no dot.
@attached(peer)
public macro ClassName(_ name: String) = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Names a property on the wire, where it is not the property's own name.
///
/// Use it to rename a property without a change of the server's schema, or for a name that Swift or `ModelObject` takes.
///
/// - Parameter name: The name, a literal. It is not empty, and no other property of the model has it.
@attached(peer)
public macro Key(_ name: String) = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Keeps a property on this device: it is observed, but never sent, and nothing that is received changes it.
///
/// A model in a local property is in the scope; it is not sent before a property that is sent refers to it.
@attached(peer)
public macro Local() = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Leaves a property out of the model: it is not observed, not sent, and may have any type.
///
/// Use it for constants, for `lazy` properties, and for computed ones that nobody observes.
@attached(peer)
public macro Ignored() = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Observes a computed property: its observers are called when one of the properties changes that it depends on.
///
/// A composite property is never sent. Only properties of the same object count: a change inside an element of an array is
/// none of the array.
///
/// - Parameter dependencies: Properties of the same class or of a superclass, such as `\.width`.
@attached(peer)
public macro Composite(_ dependencies: KeyPath<ModelProperties, ModelProperties.Name>...) =
    #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Sends a property's changes no more often than once in an interval.
///
/// The first change of a burst is sent at once, and the last one when the interval is over. Observers see each change.
///
/// - Parameter seconds: The interval, a literal greater than 0.
@attached(peer)
public macro MinSyncInterval(_ seconds: Double) = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// The properties of whichever model `@Composite` is used in, so that `\.width` can be written there without the model's name.
///
/// The macro looks for the property of that name in the model.
@dynamicMemberLookup
public enum ModelProperties {
    /// The name of a property.
    public enum Name {}

    /// The property of that name.
    public subscript(dynamicMember name: String) -> Name {
        switch self {}
    }
}
