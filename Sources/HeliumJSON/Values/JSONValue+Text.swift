public import HeliumEssentials

extension JSONValue {
    /// The format of a written value. The default is compact, with members in their order.
    ///
    /// Slashes and characters beyond ASCII are never escaped.
    public struct Formatting: OptionSet, Hashable, Sendable {
        /// The bits of the options.
        public let rawValue: Int

        /// Creates options from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Each element and member on a line of its own, indented by two spaces for each level, up to 512 levels.
        public static let pretty = Self(rawValue: 1)

        /// Members sorted by the UTF-8 bytes of their names, in all objects.
        public static let sortedMembers = Self(rawValue: 2)
    }

    /// Returns the value as a JSON document.
    public func data(formatting: Formatting = []) -> Data { written(formatting).takeData() }

    /// Returns the value as a JSON document.
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

    /// A description with the case and compact JSON, such as `JSONValue.array([1,2])`.
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
