extension TextAssembly {
    /// Returns the text with all patches at their positions; the caller must free it. All nodes must be closed.
    mutating func takeText() -> TextBuffer {
        var written = text
        text = TextBuffer(capacity: 1)
        guard !patches.isEmpty else {
            // Other segments have no text.
            written.count = firstSegmentEnd
            return written
        }
        defer { written.deallocate() }
        var result = TextBuffer(capacity: written.count + 2 * patches.count)
        // Parts that were written later come later.
        let order = patches.indices.sorted { (patches[$0].place, $0) < (patches[$1].place, $1) }
        put(0..<firstSegmentEnd, of: written, patches: order.map { patches[$0] }, into: &result)
        return result
    }

    /// Appends one segment with those that belong inside it. The recursion is as deep as the nesting of containers.
    private func put(_ range: Range<Int>, of text: TextBuffer, patches: [TextPatch], into result: inout TextBuffer) {
        var position = range.lowerBound
        var index = Self.first(in: patches, from: position)
        while index < patches.count, case let patch = patches[index], patch.offset <= range.upperBound {
            result.append(UnsafeBufferPointer(start: text.base + position, count: patch.offset - position))
            position = patch.offset
            if let inner = patch.range {
                put(inner, of: text, patches: patches, into: &result)
            } else {
                result.append("{}")
            }
            index += 1
        }
        result.append(UnsafeBufferPointer(start: text.base + position, count: range.upperBound - position))
    }

    /// Returns the index of the first patch at an offset or after it.
    private static func first(in patches: [TextPatch], from offset: Int) -> Int {
        var (low, high) = (0, patches.count)
        while low < high {
            let middle = (low + high) / 2
            if patches[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
