public import HeliumJSON

/// A type of which a model property may hold one value, an `Optional`, or an `Array`: scalars, enumerations and model
/// objects.
///
/// Conform your own types to ``ModelScalar``. Model classes conform to ``ModelObject``.
public protocol ModelElement {
    /// The kind of the JSON value (Docs/Protocols/Jetstream.md §2.3).
    static var modelKind: ModelKind { get }

    /// Returns whether two values are the same, in which case setting a property does nothing. Objects are compared by
    /// identity.
    static func isSame(_ left: Self, _ right: Self) -> Bool

    /// Returns the value as sent on the wire.
    func modelJSON(_ format: ModelFormat) -> JSONValue

    /// Returns the value for a JSON value; `nil` if it is of another kind, out of range or an unknown object.
    static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Self?

    /// Returns the value for a part of a document. The default implementation calls ``fromModelJSON(_:_:)``.
    static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> Self?

    /// The object itself if this is a model object; otherwise `nil`.
    var asModelObject: (any ModelObject)? { get }

    /// The class of the objects if this is a model class; otherwise `nil`.
    static var modelObjectType: (any ModelObject.Type)? { get }
}

/// A value without model objects: text, numbers, dates, enumerations.
///
/// An enumeration with raw values only needs to declare the conformance:
///
/// ```swift
/// enum Weight: Int, ModelScalar { case light, heavy }
/// ```
public protocol ModelScalar: ModelElement, ModelValue, Sendable {}

/// The type of a model property.
///
/// Conforming types are ``ModelScalar`` types (`String`, `Bool`, integers, `Float`, `Double`, `Date`, `Data`, `UUID`,
/// ``RGBAColor`` and enumerations), their optionals and arrays, and `T?` and `[T]` for a model class `T`.
public protocol ModelValue {
    /// The kind of the JSON value.
    static var modelKind: ModelKind { get }

    /// Whether values refer to model objects.
    static var holdsModels: Bool { get }

    /// The class of the objects that values refer to; `nil` if they refer to none.
    static var modelObjectType: (any ModelObject.Type)? { get }

    /// Returns whether two values are the same, in which case setting a property does nothing.
    static func isSame(_ left: Self, _ right: Self) -> Bool

    /// Returns the value as sent on the wire.
    func modelJSON(_ format: ModelFormat) -> JSONValue

    /// Reads a value from the wire (Docs/Protocols/Jetstream.md §2.3, §2.5).
    static func readModelJSON(_ json: JSONValue, _ source: ModelSource) -> ModelReading<Self>

    /// Reads a part of a document. The default implementation calls ``readModelJSON(_:_:)``.
    static func readModelInput(_ input: ModelInput, _ source: ModelSource) -> ModelReading<Self>

    /// Calls `body` with each object that the value refers to, in order. An object may occur twice.
    func forEachModelObject(_ body: (any ModelObject) -> Void)

    /// Returns the objects that are in one of two values only, ignoring the common beginning and the common end.
    static func modelDifference(from old: Self, to new: Self) -> ModelDifference

    /// The value without any model object; `nil` if values do not refer to objects.
    static var withoutModels: Self? { get }

    /// Returns the value without one model object.
    func removingModel(_ object: any ModelObject) -> Self
}

/// The kind of the JSON values of a property (Docs/Protocols/Jetstream.md §2.3).
public indirect enum ModelKind: Sendable, Hashable {
    /// Text, and values that are written as text: `Data` as base64, `UUID`.
    case string
    /// A number, including that of a color.
    case number
    /// `true` or `false`.
    case boolean
    /// Seconds since 1970.
    case date
    /// The raw values of an enumeration: its name without a module, the kind of its raw values, and the raw values if
    /// the type is `CaseIterable`.
    case enumeration(name: String, raw: ModelKind, values: [JSONValue])
    /// A model object, written as its UUID; `null` for none.
    case reference
    /// A value that may be `null`.
    case optional(ModelKind)
    /// An array, which is never `null`.
    case array(ModelKind)
}

/// Options for writing values.
public struct ModelFormat: Sendable, Hashable {
    /// The format of dates.
    public enum Dates: Sendable, Hashable {
        /// Seconds since 1970, which the clients of the original library read. The default.
        case seconds
        /// ISO 8601 text, the only format that the original server stores correctly (Docs/Protocols/Jetstream.md §2.4).
        case iso8601
    }

    /// The format in which dates are written. Both formats are read.
    public var dates: Dates

    /// Creates a format. Default: dates in seconds.
    public init(dates: Dates = .seconds) { self.dates = dates }
}

/// The result of reading a value from the wire.
public enum ModelReading<Value> {
    /// The value.
    case value(Value)
    /// The value does not fit the property, which keeps its value.
    case ignored
    /// The value is `null`, but the property cannot be `null`. A full state resets it, and a change leaves it unchanged
    /// (Docs/Protocols/Jetstream.md §2.5).
    case null
    /// The value is a known object of another class than the property's (Docs/Protocols/Jetstream.md §2.7).
    case wrongClass
}

/// The source for resolving references while values are read.
///
/// Conformances only pass it on.
public struct ModelSource {
    let objectByID: (ModelID) -> (any ModelObject)?

    /// Returns the object whose identifier is given as text.
    @usableFromInline
    func object(_ id: String) -> (any ModelObject)? { ModelID(wireText: id).flatMap(objectByID) }

    /// A source without objects.
    static var none: ModelSource { ModelSource { _ in nil } }
}

/// The objects that are in one of two values of a property only, as far as the values themselves show.
public struct ModelDifference {
    /// The objects of the old value that may have been removed.
    var removed: [any ModelObject] = []
    /// The objects of the new value that may have been added.
    var added: [any ModelObject] = []
    /// The position of the first object of ``added`` and of ``removed``.
    var start = 0

    @usableFromInline
    init(removed: [any ModelObject] = [], added: [any ModelObject] = [], start: Int = 0) {
        (self.removed, self.added, self.start) = (removed, added, start)
    }

    /// No difference: the difference of values that do not refer to objects.
    @inlinable
    public static var none: ModelDifference { ModelDifference() }
}
