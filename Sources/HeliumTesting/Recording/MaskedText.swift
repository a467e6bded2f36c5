import Foundation
import HeliumCore

/// Text of a recording, in which masks match any text.
struct MaskedText {
    private let text: String
    private let masks: [String]

    /// Creates the text of a recording. Empty masks are ignored.
    init(_ text: String, _ masks: [String]) {
        self.text = text
        self.masks = masks.filter { !$0.isEmpty }
    }

    /// Returns whether `actual` equals the text if each mask is replaced by some text without the separator, such as the
    /// `&` of parameters. Otherwise a mask would match the parameters after it.
    func fits(_ actual: String, separator: Unicode.Scalar) -> Bool {
        if actual.utf8.elementsEqual(text.utf8) { return true }
        let separator = UInt8(ascii: separator)
        let parts = actual.utf8.split(separator: separator, omittingEmptySubsequences: false)
        let recorded = text.utf8.split(separator: separator, omittingEmptySubsequences: false)
        return parts.count == recorded.count && zip(parts, recorded).allSatisfy { fits(Array($0), Array($1)) }
    }

    /// Returns whether `actual` equals the text of a body if each mask is replaced by some text within a line.
    ///
    /// A secret can have several lines, such as a key in PEM format. If `actual` has more lines than the recording, a
    /// mask may therefore match more than one, but no delimiter of a multipart body.
    func fits(body actual: String) -> Bool {
        if fits(actual, separator: "\n") { return true }
        let (lines, recorded) = (MaskedText.lines(actual), MaskedText.lines(text))
        guard lines.count > recorded.count else { return false }
        guard let delimiter = recorded.first, delimiter.starts(with: "--".utf8) else { return fits(actual) }
        // A delimiter is a line that begins as the first line (RFC 2046 §5.1.1).
        let (parts, others) = (MaskedText.parts(lines, delimiter), MaskedText.parts(recorded, delimiter))
        return parts.count == others.count && zip(parts, others).allSatisfy { fits($0, $1) }
    }

    /// Returns the lines without a CR at their ends.
    private static func lines(_ text: String) -> [ArraySlice<UInt8>] {
        Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false).map {
            $0.last == 0x0D ? $0.dropLast() : $0
        }
    }

    /// Returns the texts that begin with a delimiter.
    private static func parts(_ lines: [ArraySlice<UInt8>], _ delimiter: ArraySlice<UInt8>) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        for line in lines {
            if parts.isEmpty || line.starts(with: delimiter) { parts.append([]) }
            parts[parts.count - 1] += line + [0x0A]
        }
        return parts
    }

    /// Returns whether `actual` equals the text if each mask is replaced by any text.
    func fits(_ actual: String) -> Bool { fits(Array(actual.utf8), Array(text.utf8)) }

    private func fits(_ actual: [UInt8], _ recorded: [UInt8]) -> Bool {
        var literals: [[UInt8]] = [[]]
        var rest = recorded[...]
        while let byte = rest.first {
            if let mask = masks.first(where: { rest.starts(with: $0.utf8) }) {
                rest = rest.dropFirst(mask.utf8.count)
                literals.append([])
            } else {
                rest = rest.dropFirst()
                literals[literals.count - 1].append(byte)
            }
        }
        guard literals.count > 1 else { return actual == recorded }
        let (first, last) = (literals[0], literals[literals.count - 1])
        guard actual.count >= first.count + last.count, actual.starts(with: first),
            actual.suffix(last.count) == last[...]
        else { return false }
        var open = actual[first.count..<(actual.count - last.count)]
        // The earliest match of each literal leaves the most text for those that follow.
        for literal in literals.dropFirst().dropLast() where !literal.isEmpty {
            guard let range = open.firstRange(of: literal) else { return false }
            open = open[range.upperBound...]
        }
        return true
    }
}

/// Text of a request that looks like a mask. A recording keeps it apart from its masks.
enum LiteralMask {
    /// Returns a URL's text, or a form's, with `***` percent-encoded, so that only a mask is written in this way.
    static func escaped(_ text: String) -> String {
        text.replacingBytes(of: SecretScrubber.queryMask, with: "%2A%2A%2A")
    }

    /// Returns a mask that does not occur in a body; `nil` if the default mask does not occur.
    static func mask(for body: Data) -> String? {
        guard body.range(of: Data(SecretScrubber.mask.utf8)) != nil else { return nil }
        var (longest, run) = (0, 0)
        for byte in body {
            run = byte == UInt8(ascii: "*") ? run + 1 : 0
            longest = max(longest, run)
        }
        return "[redacted\(String(repeating: "*", count: longest + 1))]"
    }

    static func isForm(_ type: String) -> Bool { type.lowercased().hasBytePrefix("application/x-www-form-urlencoded") }
}

extension JSONValue {
    /// Returns whether this value equals the recorded one. Masks match any text, or any value if they are the value.
    func fits(_ recorded: JSONValue, mask: String) -> Bool {
        switch (self, recorded) {
        case (_, .string(mask)) where !mask.isEmpty:
            true
        case (.string(let text), .string(let pattern)):
            MaskedText(pattern, [mask]).fits(text)
        case (.array(let mine), .array(let theirs)):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.fits($1, mask: mask) }
        case (.object(let mine), .object(let theirs)):
            mine.count == theirs.count
                && theirs.allSatisfy { name, value in mine[name].map { $0.fits(value, mask: mask) } ?? false }
        default:
            self == recorded
        }
    }
}
