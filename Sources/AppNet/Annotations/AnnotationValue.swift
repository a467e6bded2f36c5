internal import Foundation
internal import HeliumJSON

/// A typed value for one type of annotation.
///
/// ```swift
/// struct Mood: AnnotationValue {
///     static let annotationType = "com.example.mood"
///     var level: Int
/// }
///
/// let mood = try message.annotations?.first(of: Mood.self)
/// ```
public protocol AnnotationValue: Codable, Sendable {
    /// The type of the annotation, a reverse domain name.
    static var annotationType: String { get }
}

extension Annotation {
    /// Creates an annotation from a typed value.
    ///
    /// - Throws: `EncodingError` if the value cannot be represented in JSON.
    public init(_ value: some AnnotationValue) throws {
        let data = try HeliumJSONEncoder().encode(value)
        self.init(type: Swift.type(of: value).annotationType, value: try JSONValue(parsing: data))
    }

    /// Returns an annotation without a value, which removes those of its type from a user, channel or file
    /// (Docs/Protocols/AppNet.md §4.1).
    public static func removal(of type: String) -> Self { Self(type: type) }

    /// Returns the typed value; `nil` if the annotation is of another type or has no value.
    ///
    /// - Throws: `DecodingError` if the value has another shape. The service only checks the values of its own types.
    public func decoded<Value: AnnotationValue>(as type: Value.Type = Value.self) throws -> Value? {
        guard self.type.hasSameBytes(as: Value.annotationType), let value else { return nil }
        return try HeliumJSONDecoder().decode(Value.self, from: value.data())
    }
}

extension Sequence<Annotation> {
    /// Returns the annotations of a type.
    public func ofType(_ type: String) -> [Annotation] { filter { $0.type.hasSameBytes(as: type) } }

    /// Returns the typed value of the first annotation of its type; `nil` if there is none.
    ///
    /// - Throws: `DecodingError` if the value has another shape.
    public func first<Value: AnnotationValue>(of type: Value.Type = Value.self) throws -> Value? {
        for annotation in self where annotation.type.hasSameBytes(as: Value.annotationType) {
            if let value = try annotation.decoded(as: type) { return value }
        }
        return nil
    }

    /// Returns the typed values of all annotations of their type. Values of another shape are left out.
    public func all<Value: AnnotationValue>(of type: Value.Type = Value.self) -> [Value] {
        compactMap { annotation in (try? annotation.decoded(as: type)) ?? nil }
    }
}
