public import Foundation
public import HeliumJSON

// MARK: Text and truth

extension String: ModelScalar {
    /// The kind: text.
    public static var modelKind: ModelKind { .string }
    /// Returns whether the bytes are equal.
    public static func isSame(_ left: String, _ right: String) -> Bool { left.hasSameBytes(as: right) }
    /// Returns a string.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { .string(self) }
    /// Reads a string.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> String? { json.stringValue }
}

extension Bool: ModelScalar {
    /// The kind: a Boolean.
    public static var modelKind: ModelKind { .boolean }
    /// Returns whether both are equal.
    @inlinable
    public static func isSame(_ left: Bool, _ right: Bool) -> Bool { left == right }
    /// Returns `true` or `false`, never a number.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { .bool(self) }
    /// Reads a Boolean, or a number, where 0 is `false`.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Bool? {
        json.boolValue ?? json.doubleValue.map { $0 != 0 }
    }
}

// MARK: Numbers

extension ModelScalar where Self: FixedWidthInteger {
    /// The kind: a number.
    public static var modelKind: ModelKind { .number }
    /// Returns whether both are equal.
    @inlinable
    public static func isSame(_ left: Self, _ right: Self) -> Bool { left == right }
    /// Returns a number.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { .number(JSONNumber(self)) }
    /// Reads a number and truncates its fraction. Numbers out of range are ignored.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Self? {
        guard let number = json.numberValue else { return nil }
        if let value = Self(exactly: number) { return value }
        return number.doubleValue.flatMap { Self(exactly: $0.rounded(.towardZero)) }
    }
}

extension Int: ModelScalar {}
extension Int8: ModelScalar {}
extension Int16: ModelScalar {}
extension Int32: ModelScalar {}
extension Int64: ModelScalar {}
extension UInt: ModelScalar {}
extension UInt8: ModelScalar {}
extension UInt16: ModelScalar {}
extension UInt32: ModelScalar {}
extension UInt64: ModelScalar {}

extension Double: ModelScalar {
    /// The kind: a number.
    public static var modelKind: ModelKind { .number }
    /// Returns whether two numbers are equal or both NaN.
    @inlinable
    public static func isSame(_ left: Double, _ right: Double) -> Bool { left == right || (left.isNaN && right.isNaN) }
    /// Returns a number; `null` for infinities and NaN, which JSON does not support.
    public func modelJSON(_ format: ModelFormat) -> JSONValue {
        if let integer = Int64(exactly: self), self != 0 || sign == .plus {
            return .number(JSONNumber(integer: integer))
        }
        return JSONNumber(self).map { .number($0) } ?? .null
    }
    /// Reads a number.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Double? { json.doubleValue }
}

extension Float: ModelScalar {
    /// The kind: a number.
    public static var modelKind: ModelKind { .number }
    /// Returns whether two numbers are equal or both NaN.
    @inlinable
    public static func isSame(_ left: Float, _ right: Float) -> Bool { left == right || (left.isNaN && right.isNaN) }
    /// Returns a number; `null` for infinities and NaN, which JSON does not support.
    public func modelJSON(_ format: ModelFormat) -> JSONValue {
        if let integer = Int64(exactly: self), self != 0 || sign == .plus {
            return .number(JSONNumber(integer: integer))
        }
        return JSONNumber(self).map { .number($0) } ?? .null
    }
    /// Reads a number. Numbers out of range are ignored.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Float? {
        json.doubleValue.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
}

// MARK: Dates, data and identifiers

extension Date: ModelScalar {
    /// The kind: a date.
    public static var modelKind: ModelKind { .date }
    /// Returns whether both are the same point in time.
    public static func isSame(_ left: Date, _ right: Date) -> Bool { left == right }
    /// Returns seconds since 1970, or ISO 8601 text if the format requests it.
    public func modelJSON(_ format: ModelFormat) -> JSONValue {
        switch format.dates {
        case .seconds: timeIntervalSince1970.modelJSON(format)
        case .iso8601: .string(RFC3339.string(from: self))
        }
    }
    /// Reads seconds since 1970 and ISO 8601 text (Docs/Protocols/Jetstream.md §2.4).
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Date? {
        if let seconds = json.doubleValue { return Date(timeIntervalSince1970: seconds) }
        return json.stringValue.flatMap(RFC3339.date(from:))
    }
}

extension Data: ModelScalar {
    /// The kind: text.
    public static var modelKind: ModelKind { .string }
    /// Returns whether the bytes are equal.
    public static func isSame(_ left: Data, _ right: Data) -> Bool { left == right }
    /// Returns base64 without line breaks.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { .string(base64EncodedString()) }
    /// Reads base64.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Data? {
        json.stringValue.flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
    }
}

extension UUID: ModelScalar {
    /// The kind: text.
    public static var modelKind: ModelKind { .string }
    /// Returns whether both are equal.
    public static func isSame(_ left: UUID, _ right: UUID) -> Bool { left == right }
    /// Returns the canonical text in lower case.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { .string(wireText) }
    /// Reads the canonical text in either case.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> UUID? {
        json.stringValue.flatMap(UUID.init(wireText:))
    }
}

// MARK: Enumerations

extension ModelScalar where Self: RawRepresentable, RawValue: ModelScalar {
    /// The kind of an enumeration.
    public static var modelKind: ModelKind {
        .enumeration(name: String(describing: Self.self), raw: RawValue.modelKind, values: [])
    }
    /// Returns whether the raw values are the same.
    @inlinable
    public static func isSame(_ left: Self, _ right: Self) -> Bool { RawValue.isSame(left.rawValue, right.rawValue) }
    /// Returns the raw value.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { rawValue.modelJSON(format) }
    /// Reads a raw value. Unknown raw values are ignored.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> Self? {
        guard let raw = RawValue.fromModelJSON(json, source) else { return nil }
        // Texts are compared as raw values by canonical equivalence, which is slow for malicious text.
        if let text = raw as? String, text.utf8.count > 1024 { return nil }
        return Self(rawValue: raw)
    }
}

extension ModelScalar where Self: RawRepresentable & CaseIterable, RawValue: ModelScalar {
    /// The kind of an enumeration, with all its raw values.
    public static var modelKind: ModelKind {
        .enumeration(
            name: String(describing: Self.self),
            raw: RawValue.modelKind,
            values: allCases.map { $0.rawValue.modelJSON(ModelFormat()) }
        )
    }
}
