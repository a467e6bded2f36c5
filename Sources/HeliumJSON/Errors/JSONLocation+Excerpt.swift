public import HeliumEssentials

extension JSONLocation {
    /// Returns the document's line around this position, with a caret below the character, for display in a terminal.
    ///
    /// ```
    /// {"name": "roof", "tags": ["a" "b"]}
    ///                               ^
    /// ```
    ///
    /// Characters that a terminal would interpret are shown as `·`, and omitted text as `…`.
    ///
    /// - Parameters:
    ///   - document: The document of the error. The excerpt shows its text, even if that is a secret.
    ///   - width: The maximum number of characters of the line that are shown. Default: 76. Less than 1 counts as 1.
    public func excerpt(of document: Data, width: Int = 76) -> String {
        let bytes = [UInt8](document)
        let place = min(max(byteOffset, 0), bytes.count)
        // The whole line fits into twice the document's length, with which the arithmetic below does not overflow.
        let width = min(max(width, 1), 2 * bytes.count + 2)
        let start = Self.start(of: bytes, before: place, scalars: width * 2 / 3)
        let before = Self.shown(bytes[start..<place])
        let end = Self.end(of: bytes, after: place, scalars: max(1, width - before.unicodeScalars.count))
        let isCutBefore = start > 0 && bytes[start - 1] != 0x0A
        let isCutAfter = end < bytes.count && bytes[end] != 0x0A && bytes[end] != 0x0D
        let indent = String(repeating: " ", count: before.unicodeScalars.count + (isCutBefore ? 1 : 0))
        return (isCutBefore ? "…" : "") + before + Self.shown(bytes[place..<end]) + (isCutAfter ? "…" : "") + "\n"
            + indent + "^"
    }

    /// Returns the start of the line, or the index `scalars` scalars before `place`.
    private static func start(of bytes: [UInt8], before place: Int, scalars: Int) -> Int {
        var (index, count) = (place, 0)
        while index > 0, bytes[index - 1] != 0x0A, count < scalars {
            index -= 1
            if bytes[index] & 0xC0 != 0x80 { count += 1 }
        }
        return index
    }

    /// Returns the end of the line, or the index `scalars` scalars after `place`.
    private static func end(of bytes: [UInt8], after place: Int, scalars: Int) -> Int {
        var (index, count) = (place, 0)
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D {
            if bytes[index] & 0xC0 != 0x80 {
                guard count < scalars else { break }
                count += 1
            }
            index += 1
        }
        return index
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        var text = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text += scalar == "\t" ? " " : "·"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
