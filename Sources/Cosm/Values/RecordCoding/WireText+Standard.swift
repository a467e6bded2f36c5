internal import HeliumJSON

extension String: WireText {
    init?(wireText text: String) {
        guard !text.isSlowToCompare else { return nil }
        self = text
    }

    init?(wireBytes bytes: UnsafeBufferPointer<UInt8>, isNumber: Bool) {
        let text =
            isNumber
            ? DatapointValue.shortestText(ofNumber: String(decoding: bytes, as: UTF8.self))
            : String(decoding: bytes, as: UTF8.self)
        self.init(wireText: text)
    }

    var wireText: String { self }
    static var expectation: String { "a string" }
    static var isAbsentWhenEmpty: Bool { false }
    static var cleared: String? { "" }
}

extension Bool: WireText {
    init?(wireText text: String) {
        guard text.isASCII else { return nil }
        switch text.lowercased() {
        case "true", "1": self = true
        case "false", "0": self = false
        default: return nil
        }
    }

    init(wireBool: Bool) { self = wireBool }

    var wireText: String { self ? "true" : "false" }
    static var expectation: String { "\"true\" or \"false\"" }
}

extension Int: WireText {
    init?(wireText text: String) { self.init(text) }

    var wireText: String { description }
    static var expectation: String { "a whole number" }
}

extension Double: WireText {
    init?(wireText text: String) {
        guard let number = DatapointValue(text).double else { return nil }
        self = number
    }

    var wireText: String { description }
    static var expectation: String { "a number" }
}

/// A name from a list that the service may extend. Unknown names are kept as they are.
protocol OpenName: WireText, RawRepresentable, CustomStringConvertible where RawValue == String {
    init(rawValue: String)
}

extension OpenName {
    /// The name. It is public because `CustomStringConvertible` is.
    public var description: String { rawValue }

    init?(wireText text: String) {
        guard !text.isSlowToCompare else { return nil }
        self.init(rawValue: text)
    }

    var wireText: String { rawValue }
    static var expectation: String { "a name" }
    static var isAbsentWhenEmpty: Bool { false }
}
