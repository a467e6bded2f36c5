/// The value of an empty or missing result.
enum EmptyValue {
    /// Returns `nil` for optionals and, with `includingFalsy`, also `false` and the zero of any type of numbers. Returns
    /// `nil` for types without such a value.
    static func of<Value>(_ type: Value.Type, includingFalsy: Bool) -> Value? {
        if let optional = type as? any ExpressibleByNilLiteral.Type { return make(optional) as? Value }
        guard includingFalsy else { return nil }
        if type == Bool.self { return false as? Value }
        if let number = type as? any Numeric.Type { return zero(number) as? Value }
        return type == JSONNumber.self ? JSONNumber(0) as? Value : nil
    }

    private static func make<Nil: ExpressibleByNilLiteral>(_ type: Nil.Type) -> Any { Nil(nilLiteral: ()) }

    private static func zero<Number: Numeric>(_ type: Number.Type) -> Any { Number.zero }
}
