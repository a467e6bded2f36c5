internal import Foundation
internal import HeliumJSON

/// The index text for Chinese, Japanese and Korean, whose words are not separated by spaces.
///
/// The index holds the overlapping pairs of each run of CJK characters, and the last character of the run: 日本語 becomes
/// `日本 本語 語`. In a query, a word of two characters is one token, a longer word a phrase, and a single character a
/// prefix. Letters and digits in the same word are separate tokens, without case and diacritics: `Café手机` becomes `cafe
/// · 手机 机`.
enum CJKPairs {
    /// A token that no query contains. It prevents phrases from matching across parts of the text.
    private static let boundary = "·"

    /// Returns the tokens of a text, separated by spaces; `nil` if it has no CJK characters.
    static func indexed(_ text: String) -> String? {
        guard mayContainCJK(text) else { return nil }
        var tokens = ""
        for piece in CJKPiece.pieces(of: text) {
            if !tokens.isEmpty { tokens += " \(boundary) " }
            guard piece.isCJK else {
                tokens += piece.text
                continue
            }
            appendPairs(piece.scalars, to: &tokens)
            if piece.scalars.count > 1 { tokens += " " }
            tokens.unicodeScalars.append(piece.scalars[piece.scalars.count - 1])
        }
        return tokens.isEmpty ? nil : tokens
    }

    /// Returns the full-text pattern that finds a word with CJK characters; `nil` for other words.
    ///
    /// - Parameter isPrefix: Whether longer words match too.
    static func pattern(for word: String, isPrefix: Bool) -> String? {
        guard mayContainCJK(word) else { return nil }
        let pieces = CJKPiece.pieces(of: word)
        let terms = pieces.enumerated().map { index, piece -> String in
            let isLast = index == pieces.count - 1
            if !piece.isCJK { return "\"\(piece.text)\"" + (isLast && isPrefix ? "*" : "") }
            if piece.scalars.count == 1 { return "\"\(piece.text)\"*" }
            var phrase = ""
            appendPairs(piece.scalars, to: &phrase)
            return "\"\(phrase)\""
        }
        return terms.isEmpty ? nil : terms.joined(separator: " AND ")
    }

    /// Returns the runs of CJK characters in a word, for highlighting.
    static func runs(in word: String) -> [String] {
        mayContainCJK(word) ? CJKPiece.pieces(of: word).filter(\.isCJK).map(\.text) : []
    }

    /// Appends the overlapping pairs, separated by spaces.
    private static func appendPairs(_ scalars: [Unicode.Scalar], to text: inout String) {
        for index in scalars.indices.dropLast() {
            if index > 0 { text += " " }
            text.unicodeScalars.append(scalars[index])
            text.unicodeScalars.append(scalars[index + 1])
        }
    }

    /// Returns whether a text may have CJK characters. Each takes three or four bytes, the first of which is at least
    /// 0xE1.
    private static func mayContainCJK(_ text: String) -> Bool {
        text.utf8.contains { $0 >= 0xE1 } && text.unicodeScalars.contains(where: CJKPiece.isCJK)
    }
}

/// A part of a word with CJK characters: a run of CJK characters, or the letters and digits between two runs.
struct CJKPiece {
    let isCJK: Bool
    let scalars: [Unicode.Scalar]

    var text: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// Returns the parts of those words of a text that have CJK characters, folded. Other words are left out.
    static func pieces(of text: String) -> [CJKPiece] {
        var pieces: [CJKPiece] = []
        var word: [CJKPiece] = []
        var run: [Unicode.Scalar] = []
        var isRunCJK = false
        func endRun() {
            let scalars = isRunCJK ? run : withoutDiacritics(run)
            if !scalars.isEmpty { word.append(CJKPiece(isCJK: isRunCJK, scalars: scalars)) }
            run.removeAll(keepingCapacity: true)
        }
        func endWord() {
            endRun()
            if word.contains(where: \.isCJK) { pieces += word }
            word.removeAll(keepingCapacity: true)
        }
        for scalar in normalized(text).unicodeScalars {
            guard SearchText.isWordScalar(scalar) else {
                endWord()
                continue
            }
            let isCJK = isCJK(scalar)
            // Marks that belong to no letter, such as variation selectors of CJK characters, are ignored.
            if !isCJK, isMark(scalar) { continue }
            if isCJK != isRunCJK { endRun() }
            isRunCJK = isCJK
            run.append(scalar)
        }
        endWord()
        return pieces
    }

    /// Returns a normalized text.
    ///
    /// On Linux, Foundation's compatibility composition leaves the marks of half-width kana separate, so the result is
    /// composed again.
    private static func normalized(_ text: String) -> String {
        if text.isSlowToCompare { return text.lowercased() }
        return text.precomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping.lowercased()
    }

    private static func withoutDiacritics(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        if scalars.allSatisfy(\.isASCII) { return scalars }
        return scalars.flatMap { scalar in
            // One character at a time, so that a long run of letters does not produce a long run of marks.
            scalar.isASCII
                ? [scalar] : String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.filter { !isMark($0) }
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    static func isCJK(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x11FF, 0x3005...0x3007, 0x3040...0x30FF, 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
