internal import HeliumJSON

/// A name from a list that the service may lengthen: one that isn't known here is kept as it came.
package protocol OpenName: WireScalar, RawRepresentable, CustomStringConvertible where RawValue == String {
    init(rawValue: String)
}

extension OpenName {
    /// Refuses a name with more than 256 combining marks in a row: names are compared and hashed as strings.
    package init?(native: String) {
        guard !native.isSlowToCompare else { return nil }
        self.init(rawValue: native)
    }

    package init?(substitute: WireSubstitute) { self.init(native: substitute.text) }
    package var native: String { rawValue }
    package static var expectation: String { "name" }
}
