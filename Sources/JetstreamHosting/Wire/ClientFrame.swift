internal import HeliumJSON
internal import HeliumServerKit

/// A frame of a client: one JSON object, or an array of them (Jetstream.md §1.2).
enum ClientFrame {
    /// The values deeper in a document than its messages' fragments: parameters may nest.
    private static let limits = JSONLimits(maximumDepth: 128, maximumValues: 4_000_000)

    /// The JSON of a frame; `nil` if it is none.
    static func value(_ bytes: [UInt8]) -> JSONValue? {
        if let value = try? JSONValue(parsing: bytes, limits: limits) { return value }
        // Halves of surrogate pairs, which JavaScript writes and Swift has no strings for.
        guard bytes.contains(UInt8(ascii: "\\")), valueCount(bytes) <= limits.maximumValues,
            let text = String(validating: bytes, as: UTF8.self)
        else {
            return nil
        }
        return JSONValue.parse(text)
    }

    /// More than the values in a document, names included.
    private static func valueCount(_ bytes: [UInt8]) -> Int {
        bytes.reduce(1) { count, byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): count + 1
            default: count
            }
        }
    }

    /// The messages of a frame by their indexes; `nil` if it holds none that can be used.
    ///
    /// - Parameters:
    ///   - maximumFragments: The most fragments of a sync.
    ///   - hasOriginalRules: Whether one message that cannot be parsed spoils the frame.
    static func messages(_ bytes: [UInt8], maximumFragments: Int, hasOriginalRules: Bool) -> [ClientMessage]? {
        guard let value = value(bytes) else { return nil }
        let values: [JSONValue] = if case .array(let elements) = value { elements } else { [value] }
        let messages = values.compactMap { ClientMessage($0, maximumFragments: maximumFragments) }
        if hasOriginalRules, messages.count < values.count || messages.contains(where: \.isInvalid) { return nil }
        if messages.isEmpty { return nil }
        // Stable: messages outside the sequence, which have index 0, keep their order.
        return messages.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }.map(
            \.element
        )
    }
}
