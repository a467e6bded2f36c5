/// A word of a text, folded.
struct FoldedWord {
    /// The characters of the word.
    private(set) var scalars: [Unicode.Scalar] = []
    /// The position in the text of the first and after the last character that each folded one comes from. Positions
    /// count the characters of the text.
    private(set) var origins: [Range<Int>] = []

    var isEmpty: Bool { scalars.isEmpty }

    mutating func removeAll() {
        scalars.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
    }

    /// Appends a folded character, composed with the previous one if they are parts of a syllable.
    mutating func append(_ scalar: Unicode.Scalar, from position: Int) {
        // Characters below do not compose, and are no marks.
        if scalar.value < 0x900 {
            scalars.append(scalar)
            origins.append(position..<position + 1)
            return
        }
        if let last = scalars.last, let composed = Syllables.composition(of: last, scalar) {
            scalars[scalars.count - 1] = composed
            extend(to: position)
            return
        }
        if Syllables.isVoicingMark(scalar) { return extend(to: position) }
        scalars.append(scalar)
        origins.append(position..<position + 1)
        sortMarks()
    }

    /// Includes an ignored character in the origin of the last one.
    mutating func extend(to position: Int) {
        guard let last = origins.last else { return }
        origins[origins.count - 1] = last.lowerBound..<position + 1
    }

    /// Moves the last mark before marks of higher classes, which makes canonically equal words equal.
    private mutating func sortMarks() {
        var index = scalars.count - 1
        guard index > 0, let order = Self.order(of: scalars[index]) else { return }
        // A word of a language has no more than a few marks in a row.
        let end = max(0, index - 16)
        while index > end, let previous = Self.order(of: scalars[index - 1]), previous > order {
            scalars.swapAt(index - 1, index)
            origins.swapAt(index - 1, index)
            index -= 1
        }
    }

    /// Returns the class of a mark; `nil` for other characters.
    private static func order(of scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.value >= 0x900, !Syllables.isCJK(scalar) else { return nil }
        let order = scalar.properties.canonicalCombiningClass.rawValue
        return order == 0 ? nil : order
    }

    // MARK: Tokens

    /// A token of the index: a run of letters and digits, or a pair of CJK characters.
    struct Token {
        let range: Range<Int>
        let isCJK: Bool
    }

    /// Calls `body` for each token of the index. A run of CJK characters has its overlapping pairs, and its last character.
    func forEachToken(_ body: (Token) -> Void) {
        forEachRun { run, isCJK in
            guard isCJK else { return body(Token(range: run, isCJK: false)) }
            for start in run { body(Token(range: start..<min(start + 2, run.upperBound), isCJK: true)) }
        }
    }

    /// Calls `body` for each run of CJK characters and each run of others.
    func forEachRun(_ body: (Range<Int>, Bool) -> Void) {
        var start = 0
        while start < scalars.count {
            let isCJK = Syllables.isCJK(scalars[start])
            var end = start + 1
            while end < scalars.count, Syllables.isCJK(scalars[end]) == isCJK { end += 1 }
            body(start..<end, isCJK)
            start = end
        }
    }
}

/// Splits a text into folded words. This is the only definition of a word: texts, names of places and searches use it.
struct WordScanner {
    private var word = FoldedWord()
    private var block: FoldingBlock?
    private var number = -1

    /// Calls `body` for each word of a text.
    ///
    /// - Returns: Whether the text ends within a word.
    @discardableResult
    mutating func scan(
        _ text: some Sequence<Unicode.Scalar>,
        _ body: (FoldedWord) -> Void
    ) -> Bool {
        var position = 0
        for scalar in text {
            if scalar.isASCII {
                append(ASCII.folded(UInt8(scalar.value)), from: position, body)
            } else {
                var isIgnored = true
                block(of: scalar).forEachPart(of: scalar) { part in
                    isIgnored = false
                    append(part, from: position, body)
                }
                if isIgnored { word.extend(to: position) }
            }
            position += 1
        }
        let isOpen = !word.isEmpty
        endWord(body)
        return isOpen
    }

    private mutating func append(_ scalar: Unicode.Scalar, from position: Int, _ body: (FoldedWord) -> Void) {
        if scalar == CharacterFolding.separator {
            endWord(body)
        } else {
            word.append(scalar, from: position)
        }
    }

    private mutating func endWord(_ body: (FoldedWord) -> Void) {
        if word.isEmpty { return }
        body(word)
        word.removeAll()
    }

    private mutating func block(of scalar: Unicode.Scalar) -> FoldingBlock {
        let number = Int(scalar.value >> 8)
        if let block, number == self.number { return block }
        let block = FoldingBlock.block(number)
        (self.block, self.number) = (block, number)
        return block
    }

    private enum ASCII {
        static func folded(_ byte: UInt8) -> Unicode.Scalar {
            switch byte {
            case 97...122, 48...57: Unicode.Scalar(byte)
            case 65...90: Unicode.Scalar(byte | 0x20)
            default: CharacterFolding.separator
            }
        }
    }
}

/// The characters of Chinese, Japanese and Korean, and their composition.
enum Syllables {
    /// Returns whether a character belongs to a script without spaces between words, whose runs are indexed in pairs.
    static func isCJK(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x1100 { return false }
        return switch scalar.value {
        case 0x1100...0x11FF, 0x3005...0x3007, 0x3040...0x30FF, 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// Returns whether a character is one of the marks that make ガ of カ and パ of ハ.
    static func isVoicingMark(_ scalar: Unicode.Scalar) -> Bool { 0x3099...0x309A ~= scalar.value }

    /// Returns the syllable that two characters compose; `nil` if they compose none.
    static func composition(of first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        switch second.value {
        case 0x3099: voiced[first]
        case 0x309A: semiVoiced[first]
        // The Unicode Standard, "Conjoining Jamo Behavior": the Hangul syllables are in the order of their first, second and last parts.
        case 0x1161...0x1175:
            0x1100...0x1112 ~= first.value
                ? Unicode.Scalar(0xAC00 + ((first.value - 0x1100) * 21 + (second.value - 0x1161)) * 28) : nil
        case 0x11A8...0x11C2:
            0xAC00...0xD7A3 ~= first.value && (first.value - 0xAC00) % 28 == 0
                ? Unicode.Scalar(first.value + second.value - 0x11A7) : nil
        default: nil
        }
    }

    private static let voiced = compositions(with: 0x3099)
    private static let semiVoiced = compositions(with: 0x309A)

    /// Returns the kana with a mark by those without, from their decompositions.
    private static func compositions(with mark: UInt32) -> [Unicode.Scalar: Unicode.Scalar] {
        var compositions: [Unicode.Scalar: Unicode.Scalar] = [:]
        for value in UInt32(0x3040)...0x30FF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let parts = Array(CharacterFolding.canonicalParts(of: scalar))
            if parts.count == 2, parts[1].value == mark { compositions[parts[0]] = scalar }
        }
        return compositions
    }
}
