public import Foundation
public import HeliumJSON

/// A value of a document that is read into a property without creating a `JSONValue`.
///
/// Conformances only pass it on. It is only valid during the call.
public struct ModelInput {
    let json: JSONReader

    /// The value.
    @usableFromInline var value: JSONValue { json.value }

    /// The number of elements of an array.
    @usableFromInline var elementCount: Int { json.elementCount }

    /// Calls `body` with each element until it returns `false`.
    ///
    /// - Returns: Whether the value is an array and `body` never returned `false`.
    @usableFromInline
    func allElements(_ body: (ModelInput) -> Bool) -> Bool { json.allElements { body(ModelInput(json: $0)) } }
}

// Each implementation returns the same value as its counterpart for `JSONValue`, to which it falls back.

extension ModelElement {
    /// Reads the value through a `JSONValue`.
    public static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> Self? {
        fromModelJSON(input.value, source)
    }
}

extension ModelValue {
    /// Reads the value through a `JSONValue`.
    public static func readModelInput(_ input: ModelInput, _ source: ModelSource) -> ModelReading<Self> {
        readModelJSON(input.value, source)
    }
}

extension ModelScalar {
    /// Reads a value. A value of another kind is ignored.
    @inlinable
    public static func readModelInput(_ input: ModelInput, _ source: ModelSource) -> ModelReading<Self> {
        if let value = fromModelInput(input, source) { return .value(value) }
        return readModelJSON(input.value, source)
    }
}

// MARK: Scalars

extension String {
    /// Reads a string.
    public static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> String? { input.json.string }
}

extension Bool {
    /// Reads a Boolean, or a number, where 0 is `false`.
    public static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> Bool? {
        input.json.bool ?? fromModelJSON(input.value, source)
    }
}

extension Double {
    /// Reads a number.
    public static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> Double? {
        input.json.simpleDouble ?? fromModelJSON(input.value, source)
    }
}

extension Int {
    /// Reads a number and truncates its fraction. Numbers out of range are ignored.
    public static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> Int? {
        input.json.simpleInteger.flatMap { Int(exactly: $0) } ?? fromModelJSON(input.value, source)
    }
}

extension Date {
    /// Reads seconds since 1970 and ISO 8601 text (Docs/Protocols/Jetstream.md §2.4).
    public static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> Date? {
        input.json.simpleDouble.map { Date(timeIntervalSince1970: $0) } ?? fromModelJSON(input.value, source)
    }
}

extension UUID {
    /// Reads the canonical text in either case.
    public static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> UUID? { UUID(json: input.json) }
}

// MARK: References and containers

extension ModelObject {
    /// Returns the object with an identifier if it is known and of this class.
    public static func fromModelInput(_ input: ModelInput, _ source: ModelSource) -> Self? {
        UUID(json: input.json).flatMap(source.objectByID) as? Self
    }
}

extension Optional where Wrapped: ModelElement {
    /// Reads a value. `null`, values of another kind and unknown objects become `nil`.
    @inlinable
    public static func readModelInput(_ input: ModelInput, _ source: ModelSource) -> ModelReading<Self> {
        if let value = Wrapped.fromModelInput(input, source) { return .value(value) }
        return readModelJSON(input.value, source)
    }
}

extension Array where Element: ModelElement {
    /// Reads an array. Unknown objects are left out. `null` empties an array of objects.
    @inlinable
    public static func readModelInput(_ input: ModelInput, _ source: ModelSource) -> ModelReading<Self> {
        var values: [Element] = []
        values.reserveCapacity(input.elementCount)
        let isComplete = input.allElements { element in
            guard let value = Element.fromModelInput(element, source) else { return false }
            values.append(value)
            return true
        }
        return isComplete ? .value(values) : readModelJSON(input.value, source)
    }
}
