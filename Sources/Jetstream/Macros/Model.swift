/// Makes a class a `ModelObject`: an object of a tree whose properties are observed and synced.
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
/// Each stored property has a default value and a type that is a `ModelValue`: a scalar, an enumeration with raw values, an
/// optional or an array of these, `T?` of a model class `T`, or `[T]`. The attributes ``Local()``, ``Key(_:)``,
/// ``MinSyncInterval(_:)``, ``Composite(_:)`` and ``Ignored()`` say more of a property, and ``ClassName(_:)`` of the class.
/// Computed properties need ``Composite(_:)`` or ``Ignored()``, constants ``Ignored()``; static properties are left alone.
///
/// The class is `Observable`, so `withObservationTracking` and SwiftUI follow it too.
///
/// - **Initializers.** A class without initializers of its own gets `init()`. Each class gets `init(uuid:)`, which makes the
///   objects that come from the server: the default values are theirs until the server's arrive.
/// - **Subclasses** of a model are models if they have the attribute too. They send the inherited properties and their own.
/// - **Isolation.** Models are not `Sendable`: they live where their owner does. A class with `@MainActor`, or with another
///   global actor whose name ends in `Actor`, conforms for that actor. For other global actors see ``Model(on:)``.
/// - **Observers.** `willSet` and `didSet` of a property run when its value becomes another, for the server's changes too.
/// - **`deinit`.** The expansion has one that frees deep trees without deep recursion. If the class has a `deinit` of its own,
///   call `ModelTeardown.release(_:)` there with each `_property` that refers to models.
///
/// A class can't be generic, and can't be declared in a function. Mistakes in the form of a model are errors at their token.
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

/// Makes a class that is isolated to a global actor a `ModelObject`, for any actor.
///
/// Use it where ``Model()`` can't see that an attribute is a global actor, because its name doesn't end in `Actor`:
///
/// ```swift
/// @Studio @Model(on: Studio.self)
/// final class Track {
///     var title = ""
/// }
/// ```
///
/// - Parameter globalActor: The type of the global actor that the class is marked with.
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

/// The storage and accessors of a model's property. ``Model()`` adds it; don't write it.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro ModelTracked(_ ordinal: Int) = #externalMacro(module: "JetstreamMacros", type: "ModelTrackedMacro")
