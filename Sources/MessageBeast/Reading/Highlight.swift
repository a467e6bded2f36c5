internal import Foundation
internal import HeliumJSON

/// The matched parts of a text.
enum Highlight {
    // The indexed copy of a text contains neither character: see `FoldedText.searchable`.
    static let opening: Unicode.Scalar = "\u{2}"
    static let closing: Unicode.Scalar = "\u{3}"

    /// Returns the ranges of a text that are between marks in its indexed copy.
    static func ranges(in text: String, marked: String) -> [Range<String.Index>] {
        let scalars = text.unicodeScalars
        var ranges: [Range<String.Index>] = []
        var index = scalars.startIndex
        var start: String.Index?
        for scalar in marked.unicodeScalars {
            if scalar == opening {
                start = start ?? index
            } else if scalar == closing {
                if let begin = start, begin < index { ranges.append(begin..<index) }
                start = nil
            } else if index < scalars.endIndex {
                index = scalars.index(after: index)
            }
        }
        return ranges
    }

    /// Returns the ranges of runs of CJK characters in a text, ignoring width.
    static func ranges(of runs: [String], in text: String) -> [Range<String.Index>] {
        guard !runs.isEmpty else { return [] }
        let folded = FoldedCharacters(text)
        return runs.flatMap { folded.ranges(of: FoldedCharacters($0).scalars) }
    }

    /// Returns the ranges in ascending order, with overlapping ranges merged.
    static func merged(_ ranges: [Range<String.Index>]) -> [Range<String.Index>] {
        var merged: [Range<String.Index>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

/// The characters of a text, each decomposed for compatibility separately, with their positions in the text.
private struct FoldedCharacters {
    private(set) var scalars: [Unicode.Scalar] = []
    /// The position of the character that each scalar comes from.
    private var indices: [String.Index] = []

    init(_ text: String) {
        let view = text.unicodeScalars
        for index in view.indices {
            let scalar = view[index]
            // ASCII characters and ideographs that are their own decomposition are kept unchanged.
            if scalar.isASCII || 0x4E00...0x9FFF ~= scalar.value {
                append(scalar, index)
            } else {
                for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars {
                    append(part, index)
                }
            }
        }
        indices.append(view.endIndex)
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ index: String.Index) {
        scalars.append(scalar)
        indices.append(index)
    }

    /// Returns the ranges of a word that start and end at characters.
    ///
    /// Uses the algorithm of Knuth, Morris and Pratt. The time is linear in the lengths of the word and the text.
    func ranges(of word: [Unicode.Scalar]) -> [Range<String.Index>] {
        guard !word.isEmpty, word.count <= scalars.count else { return [] }
        let borders = Self.borders(of: word)
        var ranges: [Range<String.Index>] = []
        var matched = 0
        for (position, scalar) in scalars.enumerated() {
            while matched > 0, word[matched] != scalar { matched = borders[matched - 1] }
            if word[matched] == scalar { matched += 1 }
            guard matched == word.count else { continue }
            matched = borders[matched - 1]
            if let range = range(from: position + 1 - word.count, to: position + 1) { ranges.append(range) }
        }
        return ranges
    }

    /// Returns the range of whole characters; `nil` if it starts or ends within one, or ends before a kana voicing
    /// mark.
    private func range(from start: Int, to end: Int) -> Range<String.Index>? {
        if start > 0, indices[start] == indices[start - 1] { return nil }
        if indices[end] == indices[end - 1] { return nil }
        if end < scalars.count, 0x3099...0x309A ~= scalars[end].value { return nil }
        return indices[start]..<indices[end]
    }

    /// Returns, for each prefix of the word, the length of its longest proper prefix that is also its suffix.
    private static func borders(of word: [Unicode.Scalar]) -> [Int] {
        var borders = [0]
        for index in 1..<max(1, word.count) {
            var length = borders[index - 1]
            while length > 0, word[index] != word[length] { length = borders[length - 1] }
            borders.append(word[index] == word[length] ? length + 1 : 0)
        }
        return borders
    }
}
