/// The rules by which pnut.io reads text in another way than App.net (AppNet.md §6.3).
struct PnutText: Hashable, Sendable {
    /// Whether a word behind `#` is a tag. Tags that are just numbers are not recognized.
    func isTag(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        word.contains { $0 != "_" && $0.properties.generalCategory != .decimalNumber }
    }

    /// Whether a code point may be part of a tag: letters, numbers, `_` and emoji.
    static func isTagScalar(_ scalar: Unicode.Scalar) -> Bool {
        EntityScanner.isWord(scalar) || scalar.properties.isEmojiPresentation || scalar == "\u{200D}"
            || scalar == "\u{FE0F}"
    }

    /// The key of a tag in look-ups: lower case without `_`.
    static func tagKey(_ tag: String) -> String {
        var key = tag.lowercased()
        key.unicodeScalars.removeAll { $0 == "_" }
        return key
    }

    /// Marks the mentions that only copy somebody: the one behind a `/`, and those that follow it directly.
    static func markCopies(_ mentions: inout [AppNetEntities.Mention], _ scalars: [Unicode.Scalar]) {
        var copiedUpTo: Int?
        for index in mentions.indices {
            let mention = mentions[index]
            let isBehindSlash = mention.position > 0 && scalars[mention.position - 1] == "/"
            let follows =
                copiedUpTo.map { scalars[$0..<mention.position].allSatisfy(\.properties.isWhitespace) } ?? false
            guard isBehindSlash || follows else {
                copiedUpTo = nil
                continue
            }
            mentions[index].isCopy = true
            copiedUpTo = mention.position + mention.length
        }
    }
}
