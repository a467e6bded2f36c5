/// The parts of a text that the words of a search match.
enum Highlight {
    /// Returns the ranges in ascending order, with overlapping ranges merged.
    static func ranges(of words: [SearchWord], in text: String) -> [Range<String.Index>] {
        let tokens = TextTokens(text)
        return merged(words.flatMap(tokens.ranges))
    }

    private static func merged(_ ranges: [Range<String.Index>]) -> [Range<String.Index>] {
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

/// The tokens of a text, with their places in it.
private struct TextTokens {
    private struct Token {
        let scalars: [Unicode.Scalar]
        /// The position of the first character in the text.
        let start: Int
        /// The position after the first folded character, and after the last.
        let firstEnd: Int
        let end: Int
        let isCJK: Bool

        /// Returns the position after the part of the token that a token of a search matches. Of a word, all is shown.
        func end(matching other: SearchWord.Token) -> Int { isCJK && other.scalars.count == 1 ? firstEnd : end }
    }

    private var tokens: [Token] = []
    /// The indices of the characters of the text, and its end.
    private let indices: [String.Index]

    init(_ text: String) {
        indices = Array(text.unicodeScalars.indices) + [text.endIndex]
        var tokens: [Token] = []
        var scanner = WordScanner()
        scanner.scan(text.unicodeScalars) { word in
            word.forEachToken { token in
                let origins = word.origins[token.range]
                guard let first = origins.first, let last = origins.last else { return }
                tokens.append(
                    Token(
                        scalars: Array(word.scalars[token.range]),
                        start: first.lowerBound,
                        firstEnd: first.upperBound,
                        end: max(first.upperBound, last.upperBound),
                        isCJK: token.isCJK
                    )
                )
            }
        }
        self.tokens = tokens
    }

    /// Returns the ranges of a word of a search.
    ///
    /// Uses the algorithm of Knuth, Morris and Pratt for all tokens of the word but a prefix at its end. The number of
    /// compared tokens is linear in the lengths of the word and the text.
    func ranges(of word: SearchWord) -> [Range<String.Index>] {
        guard let last = word.tokens.last, word.tokens.count <= tokens.count else { return [] }
        let whole = word.isLastTokenPrefix ? Array(word.tokens.dropLast()) : word.tokens
        let borders = Self.borders(of: whole)
        var ranges: [Range<String.Index>] = []
        var matched = 0
        for (position, token) in tokens.enumerated() {
            if matched == whole.count {
                if word.isLastTokenPrefix, token.scalars.starts(with: last.scalars) {
                    ranges.append(range(from: position - whole.count, to: position, last))
                }
                guard !whole.isEmpty else { continue }
                matched = borders[matched - 1]
            }
            while matched > 0, whole[matched].scalars != token.scalars { matched = borders[matched - 1] }
            if whole[matched].scalars == token.scalars { matched += 1 }
            if matched == whole.count, !word.isLastTokenPrefix {
                ranges.append(range(from: position + 1 - whole.count, to: position, last))
            }
        }
        return ranges
    }

    private func range(from first: Int, to last: Int, _ token: SearchWord.Token) -> Range<String.Index> {
        let (start, end) = (tokens[first].start, tokens[last].end(matching: token))
        return indices[start]..<indices[max(start, end)]
    }

    /// Returns, for each beginning of the word, the length of its longest proper beginning that is also its end.
    private static func borders(of word: [SearchWord.Token]) -> [Int] {
        var borders = [0]
        for index in 1..<max(1, word.count) {
            var length = borders[index - 1]
            while length > 0, word[index] != word[length] { length = borders[length - 1] }
            borders.append(word[index] == word[length] ? length + 1 : 0)
        }
        return borders
    }
}
