public import HeliumEssentials

extension JSONValue {
    /// How a value is written. Without an option: compact, members in their order.
    ///
    /// Slashes and what is beyond ASCII are never escaped.
    public struct Formatting: OptionSet, Hashable, Sendable {
        /// The options' bits.
        public let rawValue: Int

        /// Options by their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Each element and member on a line of its own, indented by two spaces for each level down to 512.
        public static let pretty = Self(rawValue: 1)

        /// Members in the order of their names' UTF-8 bytes, in all objects.
        public static let sortedMembers = Self(rawValue: 2)
    }

    /// The value as a JSON document.
    public func data(formatting: Formatting = []) -> Data { written(formatting).takeData() }

    /// The value as a JSON document.
    public func text(formatting: Formatting = []) -> String { written(formatting).takeString() }

    private func written(_ formatting: Formatting) -> TextBuffer {
        var text = TextBuffer(capacity: 64)
        JSONTextWriter.write(self, formatting: formatting, into: &text)
        return text
    }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible {
    /// The value as compact JSON.
    public var description: String { text() }

    /// `JSONValue.array([1,2])`: the case and compact JSON.
    public var debugDescription: String {
        switch self {
        case .null: "JSONValue.null"
        case .bool: "JSONValue.bool(\(text()))"
        case .number: "JSONValue.number(\(text()))"
        case .string: "JSONValue.string(\(text()))"
        case .array: "JSONValue.array(\(text()))"
        case .object: "JSONValue.object(\(text()))"
        }
    }
}
