public import HeliumEssentials

/// The value of a parameter in a query or a path, before percent-encoding.
public enum ParameterValue: Hashable, Sendable {
    /// No value: the parameter is left out.
    case absent
    /// One value.
    case single(String)
    /// Several values of one parameter, in their order.
    case list([String])
    /// A value that can't be sent; the text gives the reason.
    case invalid(String)
}

/// A type whose values can be used for a query parameter or a path placeholder.
public protocol ParameterConvertible: Sendable {
    /// The value as text.
    var parameterValue: ParameterValue { get }
}

extension ParameterValue: ParameterConvertible {
    /// The value itself.
    public var parameterValue: ParameterValue { self }
}

extension String: ParameterConvertible {
    /// The text itself.
    public var parameterValue: ParameterValue { .single(self) }
}

extension Substring: ParameterConvertible {
    /// The text itself.
    public var parameterValue: ParameterValue { .single(String(self)) }
}

extension Bool: ParameterConvertible {
    /// `true` or `false`.
    public var parameterValue: ParameterValue { .single(self ? "true" : "false") }
}

extension Int: ParameterConvertible {}
extension Int8: ParameterConvertible {}
extension Int16: ParameterConvertible {}
extension Int32: ParameterConvertible {}
extension Int64: ParameterConvertible {}
extension UInt: ParameterConvertible {}
extension UInt8: ParameterConvertible {}
extension UInt16: ParameterConvertible {}
extension UInt32: ParameterConvertible {}
extension UInt64: ParameterConvertible {}

extension ParameterConvertible where Self: FixedWidthInteger {
    /// The number in decimal.
    public var parameterValue: ParameterValue { .single(String(self)) }
}

extension Double: ParameterConvertible {}
extension Float: ParameterConvertible {}

extension ParameterConvertible where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The shortest decimal that reads back as the same number. Infinities and NaN are invalid.
    public var parameterValue: ParameterValue {
        isFinite ? .single(String(self)) : .invalid("a number that is not finite")
    }
}

extension Decimal: ParameterConvertible {
    /// The number in decimal, with a decimal point in every locale.
    public var parameterValue: ParameterValue {
        isFinite ? .single(description) : .invalid("a number that is not finite")
    }
}

extension Date: ParameterConvertible {
    /// RFC 3339 in UTC with milliseconds: `2016-02-12T08:00:07.000Z`.
    public var parameterValue: ParameterValue { .single(RFC3339.string(from: self)) }
}

extension UUID: ParameterConvertible {
    /// The upper-case form with hyphens.
    public var parameterValue: ParameterValue { .single(uuidString) }
}

extension URL: ParameterConvertible {
    /// The absolute URL.
    public var parameterValue: ParameterValue { .single(absoluteString) }
}

extension Optional: ParameterConvertible where Wrapped: ParameterConvertible {
    /// The parameter value of the wrapped value; `nil` leaves the parameter out.
    public var parameterValue: ParameterValue { self?.parameterValue ?? .absent }
}

extension Array: ParameterConvertible where Element: ParameterConvertible {
    /// The elements' values in their order. Absent elements are left out, and nested lists are joined into one.
    public var parameterValue: ParameterValue {
        var values: [String] = []
        for element in self {
            switch element.parameterValue {
            case .absent: continue
            case .single(let value): values.append(value)
            case .list(let list): values += list
            case .invalid(let reason): return .invalid(reason)
            }
        }
        return .list(values)
    }
}

extension ParameterConvertible where Self: RawRepresentable, RawValue: ParameterConvertible {
    /// The parameter value of the raw value. To use it, declare `extension MyEnum: ParameterConvertible {}`.
    public var parameterValue: ParameterValue { rawValue.parameterValue }
}
