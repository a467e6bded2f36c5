public import HeliumJSON

/// A value that a property of a model may hold once, in an `Optional`, or in an `Array`: scalars, enumerations and model
/// objects.
///
/// Conform to ``ModelScalar`` for a type of your own; ``ModelObject`` is the other half.
public protocol ModelElement {
    /// The kind of JSON that stands for the value (Docs/Protocols/Jetstream.md §2.3).
    static var modelKind: ModelKind { get }

    /// Whether two values are the same: setting the same value again does nothing. Objects are compared by identity.
    static func isSame(_ left: Self, _ right: Self) -> Bool

    /// The value as it stands on the wire.
    func modelJSON(_ format: ModelFormat) -> JSONValue

    /// The value that JSON stands for; `nil` if it is of another kind, out of range or an unknown object.
    static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Self?

    /// The value that a part of a document stands for: as ``fromModelJSON(_:_:)``, which is used by default.
    static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> Self?

    /// The object itself, if this is one.
    var asModelObject: (any ModelObject)? { get }

    /// The objects' class, if these are objects.
    static var modelObjectType: (any ModelObject.Type)? { get }
}

/// A value of its own that has no parts that are models: text, numbers, dates, enumerations.
///
/// An enumeration with raw values needs no more than the conformance:
///
/// ```swift
/// enum Weight: Int, ModelScalar { case light, heavy }
/// ```
public protocol ModelScalar: ModelElement, ModelValue, Sendable {}

/// The type of a property of a model.
///
/// These are ``ModelScalar`` (`String`, `Bool`, integers, `Float`, `Double`, `Date`, `Data`, `UUID`, ``RGBAColor`` and
/// enumerations), optional ones, arrays of them, `T?` for a model class `T`, and `[T]`.
public protocol ModelValue {
    /// The kind of JSON that stands for the value.
    static var modelKind: ModelKind { get }

    /// Whether values refer to model objects.
    static var holdsModels: Bool { get }

    /// The class of the objects that values refer to.
    static var modelObjectType: (any ModelObject.Type)? { get }

    /// Whether two values are the same: setting the same value again does nothing.
    static func isSame(_ left: Self, _ right: Self) -> Bool

    /// The value as it stands on the wire.
    func modelJSON(_ format: ModelFormat) -> JSONValue

    /// Reads what came over the wire (Docs/Protocols/Jetstream.md §2.3, §2.5).
    static func readModelJSON(_ json: JSONValue, _ source: ModelSource) -> ModelReading<Self>

    /// Reads a part of a document: as ``readModelJSON(_:_:)``, which is used by default.
    static func readModelInput(_ input: ModelInput, _ source: ModelSource) -> ModelReading<Self>

    /// Calls `body` with each object that the value refers to, in order. An object may come twice.
    func forEachModelObject(_ body: (any ModelObject) -> Void)

    /// The objects that are only in one of two values, without those that both begin or end with.
    static func modelDifference(from old: Self, to new: Self) -> ModelDifference

    /// The value without any model; `nil` if values refer to none.
    static var withoutModels: Self? { get }

    /// The value without one model.
    func removingModel(_ object: any ModelObject) -> Self
}

/// The kind of JSON that stands for a property's values (Docs/Protocols/Jetstream.md §2.3).
public indirect enum ModelKind: Sendable, Hashable {
    /// Text, and what is written as text: `Data` as base64, `UUID`.
    case string
    /// A number, a colour's too.
    case number
    /// `true` or `false`.
    case boolean
    /// Seconds since 1970.
    case date
    /// The raw values of an enumeration: its name without a module, the kind of its raw values, and these values if the type lists
    /// its cases.
    case enumeration(name: String, raw: ModelKind, values: [JSONValue])
    /// A model object by its UUID; `null` for none.
    case reference
    /// A value that may be `null`.
    case optional(ModelKind)
    /// An array, which is never `null`.
    case array(ModelKind)
}

/// Choices for writing values.
public struct ModelFormat: Sendable, Hashable {
    /// The form of dates.
    public enum Dates: Sendable, Hashable {
        /// As seconds since 1970: what the originals' clients read. The default.
        case seconds
        /// As ISO 8601 text, the only form that the original server stores right (Docs/Protocols/Jetstream.md §2.4).
        case iso8601
    }

    /// The form in which dates are written; both are read.
    public var dates: Dates

    /// A format; by default, dates are seconds.
    public init(dates: Dates = .seconds) { self.dates = dates }
}

/// The result of reading a value from the wire.
public enum ModelReading<Value> {
    /// The value.
    case value(Value)
    /// Nothing that the property can hold: it keeps its value.
    case ignored
    /// `null` for a property that has none: a full state resets it, a change leaves it
    /// (Docs/Protocols/Jetstream.md §2.5).
    case null
    /// A known object of another class than the property's (Docs/Protocols/Jetstream.md §2.7).
    case wrongClass
}

/// The place in which references are looked up while values are read.
///
/// Conformances only pass it on.
public struct ModelSource {
    let objectByID: (ModelID) -> (any ModelObject)?

    /// The object whose identifier stands in a text.
    @usableFromInline
    func object(_ id: String) -> (any ModelObject)? { ModelID(wireText: id).flatMap(objectByID) }

    /// A source that finds no object.
    static var none: ModelSource { ModelSource { _ in nil } }
}

/// The objects that are in one of two values of a property and not in the other, as far as the property itself shows.
public struct ModelDifference {
    /// The objects of the old value that may be gone.
    var removed: [any ModelObject] = []
    /// Objects of the new value that may not be in the old one.
    var added: [any ModelObject] = []
    /// The place of the first of ``added`` and of ``removed``.
    var start = 0

    @usableFromInline
    init(removed: [any ModelObject] = [], added: [any ModelObject] = [], start: Int = 0) {
        (self.removed, self.added, self.start) = (removed, added, start)
    }

    /// No difference: of values that refer to no objects.
    @inlinable
    public static var none: ModelDifference { ModelDifference() }
}
