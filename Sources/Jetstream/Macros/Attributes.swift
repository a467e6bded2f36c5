/// Sets the name of a model class on the wire, if it differs from the name of the class.
///
/// Use it to rename a class without changing the server's schema, or for two classes with the same name in different
/// modules.
///
/// - Parameter name: The name, as a literal. It must not be empty or contain a dot.
@attached(peer)
public macro ClassName(_ name: String) = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Sets the name of a property on the wire, if it differs from the name of the property.
///
/// Use it to rename a property without changing the server's schema, or for a name that Swift or `ModelObject`
/// reserves.
///
/// - Parameter name: The name, as a literal. It must not be empty or be the name of another property of the model.
@attached(peer)
public macro Key(_ name: String) = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Keeps a property on this device: it is observed, but neither sent nor changed by received data.
///
/// A model in a local property belongs to the scope. It is only sent after a synced property refers to it.
@attached(peer)
public macro Local() = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Excludes a property from the model: it is neither observed nor sent, and it may have any type.
///
/// Use it for constants, for `lazy` properties, and for computed properties that need no observation.
@attached(peer)
public macro Ignored() = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Makes a computed property observable: its observers are called when one of the properties that it depends on
/// changes.
///
/// A composite property is never sent. Only properties of the same object count: a change inside an element of an array
/// is not a change of the array.
///
/// - Parameter dependencies: Properties of the same class or of a superclass, such as `\.width`. They may be composites
///   too. An ignored property of a superclass is not observed, which the macro cannot report.
@attached(peer)
public macro Composite(_ dependencies: KeyPath<ModelProperties, ModelProperties.Name>...) =
    #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// Limits how often the changes of a property are sent.
///
/// The first change of a burst is sent at once, and the last one at the end of the interval. Observers are notified of
/// each change.
///
/// - Parameter seconds: The interval in seconds, as a literal greater than 0.
@attached(peer)
public macro MinSyncInterval(_ seconds: Double) = #externalMacro(module: "JetstreamMacros", type: "MarkerMacro")

/// A placeholder for the model in which `@Composite` is used, so that `\.width` can be written without the model's
/// name.
///
/// The macro resolves the property name in the model.
@dynamicMemberLookup
public enum ModelProperties {
    /// The name of a property.
    public enum Name {}

    /// Returns a placeholder for the property with a name.
    public subscript(dynamicMember name: String) -> Name {
        switch self {}
    }
}
