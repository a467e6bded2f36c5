internal import Foundation
internal import HeliumJSON

/// The typed form of the values of one type of annotation.
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
    /// The type's name: a reverse domain name.
    static var annotationType: String { get }
}

extension Annotation {
    /// An annotation of a typed value.
    ///
    /// - Throws: `EncodingError` for a value that JSON can't hold.
    public init(_ value: some AnnotationValue) throws {
        let data = try HeliumJSONEncoder().encode(value)
        self.init(type: Swift.type(of: value).annotationType, value: try JSONValue(parsing: data))
    }

    /// An annotation without value: it removes those of its type from a user, channel or file (§4.1).
    public static func removal(of type: String) -> Self { Self(type: type) }

    /// The typed value; `nil` if the annotation is of another type, or a removal.
    ///
    /// - Throws: `DecodingError` for a value of another shape: nobody but the service's own types is checked by it.
    public func decoded<Value: AnnotationValue>(as type: Value.Type = Value.self) throws -> Value? {
        guard self.type.hasSameBytes(as: Value.annotationType), let value else { return nil }
        return try HeliumJSONDecoder().decode(Value.self, from: value.data())
    }
}

extension Sequence<Annotation> {
    /// The annotations of a type.
    public func ofType(_ type: String) -> [Annotation] { filter { $0.type.hasSameBytes(as: type) } }

    /// The typed value of the first annotation of its type; `nil` if there is none.
    ///
    /// - Throws: `DecodingError` for a value of another shape.
    public func first<Value: AnnotationValue>(of type: Value.Type = Value.self) throws -> Value? {
        for annotation in self where annotation.type.hasSameBytes(as: Value.annotationType) {
            if let value = try annotation.decoded(as: type) { return value }
        }
        return nil
    }

    /// The typed values of the annotations of their type; those of another shape are left out.
    public func all<Value: AnnotationValue>(of type: Value.Type = Value.self) -> [Value] {
        compactMap { annotation in (try? annotation.decoded(as: type)) ?? nil }
    }
}
