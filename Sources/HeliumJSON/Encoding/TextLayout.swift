/// Lays out text that is done: sorts members, breaks lines, keeps one of the members with one name.
///
/// The text is parsed for it, which costs little beside encoding; so it need not matter while values are encoded, and what
/// values wrote as text of their own is laid out too.
struct TextLayout {
    private let isPretty: Bool
    private let sorts: Bool

    /// `nil` if the text is to stay as it is.
    init?(formatting: HeliumJSONEncoder.OutputFormatting, mergesNames: Bool) {
        isPretty = formatting.contains(.prettyPrinted)
        sorts = formatting.contains(.sortedKeys)
        guard isPretty || sorts || mergesNames else { return nil }
    }

    /// The text in this layout; the caller frees it.
    func text<Value>(of text: TextBuffer, value: Value) throws -> TextBuffer {
        let bytes = UnsafeBufferPointer(start: text.base, count: text.count)
        var limits = JSONLimits()
        // Types that write their own text see to their depth themselves.
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
                    debugDescription: "the text can't be laid out: \(reason)",
                    underlyingError: reason
                )
            )
        }
        defer { words.deallocate() }
        var writer = LayoutWriter(source: text.base, words: words, isPretty: isPretty, sorts: sorts)
        return writer.write(reserving: text.count)
    }
}
