/// A name from a list that the service may lengthen: one that isn't known here is kept as it came.
package protocol OpenName: WireScalar, RawRepresentable, CustomStringConvertible where RawValue == String {
    init(rawValue: String)
}

extension OpenName {
    package init(native: String) { self.init(rawValue: native) }
    package init(substitute: WireSubstitute) { self.init(rawValue: substitute.text) }
    package var native: String { rawValue }
    package static var expectation: String { "name" }
}
