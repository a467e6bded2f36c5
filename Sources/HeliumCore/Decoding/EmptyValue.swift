/// What an answer without a value stands for.
enum EmptyValue {
    /// `nil` for optionals; with `includingFalsy` also `false` and 0.
    static func of<Value>(_ type: Value.Type, includingFalsy: Bool) -> Value? {
        if let optional = type as? any ExpressibleByNilLiteral.Type { return make(optional) as? Value }
        return includingFalsy ? (type as? any FalsyOmitted.Type).flatMap { $0.falsy as? Value } : nil
    }

    private static func make<Nil: ExpressibleByNilLiteral>(_ type: Nil.Type) -> Any { Nil(nilLiteral: ()) }
}

/// Types one value of which a server may leave out.
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
