/// Applies a layout to complete text: sorts members, breaks lines, and keeps one of the members with the same name.
///
/// The text is parsed for that, which costs little compared with encoding. The encoding of values does not depend on
/// the layout, and text that values have written themselves is included.
struct TextLayout {
    private let isPretty: Bool
    private let sorts: Bool

    /// Creates a layout. Returns `nil` if the text can be used unchanged.
    init?(formatting: HeliumJSONEncoder.OutputFormatting, mergesNames: Bool) {
        isPretty = formatting.contains(.prettyPrinted)
        sorts = formatting.contains(.sortedKeys)
        guard isPretty || sorts || mergesNames else { return nil }
    }

    /// Returns the text in this layout; the caller must free it.
    func text<Value>(of text: TextBuffer, value: Value) throws -> TextBuffer {
        let bytes = UnsafeBufferPointer(start: text.base, count: text.count)
        var limits = JSONLimits()
        // Types that write their own text must limit their depth themselves.
        limits.maximumDepth = 2 * EncodingSession.maximumDepth
        limits.maximumNameMarks = .max
        let words: UnsafeMutablePointer<UInt64>
        do {
            words = try JSONParser.parse(bytes, limits: limits).words
        } catch {
            let reason = JSONError(error, in: bytes)
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription: "the text can't be formatted: \(reason)",
                    underlyingError: reason
                )
            )
        }
        defer { words.deallocate() }
        var writer = LayoutWriter(source: text.base, words: words, isPretty: isPretty, sorts: sorts)
        return writer.write(reserving: text.count)
    }
}
