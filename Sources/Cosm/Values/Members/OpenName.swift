internal import HeliumJSON

/// A name from a list that the service may lengthen: one that isn't known here is kept as it came.
protocol OpenName: WireText, RawRepresentable, CustomStringConvertible where RawValue == String {
    init(rawValue: String)
}

extension OpenName {
    init?(wireText text: String) {
        guard !text.isSlowToCompare else { return nil }
        self.init(rawValue: text)
    }

    var wireText: String { rawValue }
    static var expectation: String { "name" }
    static var isAbsentWhenEmpty: Bool { false }
}
