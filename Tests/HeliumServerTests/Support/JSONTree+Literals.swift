@testable import HeliumServer

/// Numbers and flags as tests write them.
extension JSONTree: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A flag.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
