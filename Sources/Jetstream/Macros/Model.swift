/// Makes a class conform to `ModelObject`: an object of a tree whose properties are observed and synced.
///
/// ```swift
/// @Model
/// final class Shape {
///     var x: Double = 0
///     var y = 0.0
///     var color = RGBAColor(0x3366FFFF)
///     var label: String?
///     var next: Shape?
///     var points: [Point] = []
/// }
/// ```
///
/// Each stored property needs a default value and a type that is a `ModelValue`: a scalar, an enumeration with raw
/// values, an optional or an array of these, `T?` of a model class `T`, or `[T]`. The attributes ``Local()``,
/// ``Key(_:)``, ``MinSyncInterval(_:)``, ``Composite(_:)`` and ``Ignored()`` configure a property, and
/// ``ClassName(_:)`` configures the class. Computed properties need ``Composite(_:)`` or ``Ignored()``, and constants
/// need ``Ignored()``. Static properties are not part of the model.
///
/// The class is `Observable`, so `withObservationTracking` and SwiftUI also track it.
///
/// - **Initializers.** A class that declares no initializer gets `init()`. Each class gets `init(uuid:)`, which creates
///   the objects that come from the server. They have the default values until the server's values are set.
/// - **Subclasses** of a model are models if they also have the attribute. They send the inherited properties and their
///   own.
/// - **Isolation.** Models are not `Sendable`: they stay in the isolation of their owner. A class with `@MainActor`, or
///   with another global actor whose name ends in `Actor`, conforms for that actor. For other global actors, see
///   ``Model(on:)``.
/// - **Observers.** `willSet` and `didSet` of a property run when its value changes, including changes by the server.
///   Changes that they make while changes of the server are applied are not sent, because each client makes them itself.
///   To send such a change, make it in an observer.
/// - **`deinit`.** The macro generates a `deinit` that frees deep trees without deep recursion. If the class declares a
///   `deinit`, call `ModelTeardown.release(_:)` in it with each `_property` that refers to models.
///
/// A model class cannot be generic, and cannot be declared in a function. An invalid declaration is reported as an
/// error at its token.
@attached(
    member,
    conformances: ModelObject,
    names: named(_modelSchema),
    named(modelSchema),
    named(modelNode),
    named(init),
    named(deinit)
)
@attached(memberAttribute)
@attached(extension, conformances: ModelObject)
public macro Model() = #externalMacro(module: "JetstreamMacros", type: "ModelMacro")

/// Makes a class that is isolated to a global actor conform to `ModelObject`, for any actor.
///
/// Use it if ``Model()`` cannot recognize an attribute as a global actor because its name does not end in `Actor`:
///
/// ```swift
/// @Studio @Model(on: Studio.self)
/// final class Track {
///     var title = ""
/// }
/// ```
///
/// - Parameter globalActor: The type of the global actor with which the class is marked.
@attached(
    member,
    conformances: ModelObject,
    names: named(_modelSchema),
    named(modelSchema),
    named(modelNode),
    named(init),
    named(deinit)
)
@attached(memberAttribute)
@attached(extension, conformances: ModelObject)
public macro Model<Isolation: GlobalActor>(on globalActor: Isolation.Type) =
    #externalMacro(module: "JetstreamMacros", type: "ModelMacro")

/// Generates the storage and accessors of a model's property. ``Model()`` adds it; do not write it yourself.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro ModelTracked(_ ordinal: Int) = #externalMacro(module: "JetstreamMacros", type: "ModelTrackedMacro")
