/// The value of an empty or missing result.
enum EmptyValue {
    /// Returns `nil` for optionals and, with `includingFalsy`, also `false` and 0. Returns `nil` for types without such
    /// a value.
    static func of<Value>(_ type: Value.Type, includingFalsy: Bool) -> Value? {
        if let optional = type as? any ExpressibleByNilLiteral.Type { return make(optional) as? Value }
        return includingFalsy ? (type as? any FalsyOmitted.Type).flatMap { $0.falsy as? Value } : nil
    }

    private static func make<Nil: ExpressibleByNilLiteral>(_ type: Nil.Type) -> Any { Nil(nilLiteral: ()) }
}

/// Types that have a value that a server may leave out.
private protocol FalsyOmitted {
    static var falsy: Self { get }
}

extension FalsyOmitted where Self: ExpressibleByIntegerLiteral { static var falsy: Self { 0 } }

extension Bool: FalsyOmitted { static var falsy: Bool { false } }
extension Int: FalsyOmitted {}
extension Int32: FalsyOmitted {}
extension Int64: FalsyOmitted {}
extension UInt: FalsyOmitted {}
extension Double: FalsyOmitted {}
extension Float: FalsyOmitted {}
