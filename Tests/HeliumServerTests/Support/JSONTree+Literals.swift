@testable import HeliumServer

/// Numbers and flags as tests write them.
extension JSONTree: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(integerLiteral value: Int64) { self = .integer(value) }

    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
