internal import HeliumJSON
internal import HeliumServerKit

/// A frame of a client: one JSON object, or an array of objects (Docs/Protocols/Jetstream.md §1.2).
enum ClientFrame {
    /// The limits for a document. The depth allows for nested parameters.
    private static let limits = JSONLimits(maximumDepth: 128, maximumValues: 4_000_000)

    /// Returns the JSON value of a frame; `nil` if it is not JSON.
    static func value(_ bytes: [UInt8]) -> JSONValue? {
        if let value = try? JSONValue(parsing: bytes, limits: limits) { return value }
        // Unpaired surrogates, which JavaScript may write but a Swift string cannot contain.
        guard bytes.contains(UInt8(ascii: "\\")), valueCount(bytes) <= limits.maximumValues,
            let text = String(validating: bytes, as: UTF8.self)
        else {
            return nil
        }
        return JSONValue.parse(text)
    }

    /// Returns an upper bound for the number of values in a document, including names.
    private static func valueCount(_ bytes: [UInt8]) -> Int {
        bytes.reduce(1) { count, byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): count + 1
            default: count
            }
        }
    }

    /// Returns the messages of a frame in the order of their indexes; `nil` if none is usable.
    ///
    /// - Parameters:
    ///   - maximumFragments: The maximum number of fragments in a sync.
    ///   - hasOriginalRules: Whether one message that cannot be parsed invalidates the frame.
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
