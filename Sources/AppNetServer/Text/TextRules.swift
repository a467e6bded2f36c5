/// The rules by which a dialect reads texts (AppNet.md §3.6, §6.3).
struct TextRules: Hashable, Sendable {
    /// The beginnings of URLs that become links, in lower case.
    var schemes = ["http://", "https://"]
    /// Whether `/@name` is a mention that only copies the user, as those are that follow it directly.
    var hasCopies = false
    /// Whether emoji are parts of tags, and numbers alone are no tags.
    var hasEmojiTags = false
    /// Whether tags are looked up without `_`.
    var ignoresUnderscores = false
    /// Whether links of Markdown may have a title behind the URL, and a host without a scheme.
    var hasMarkdownTitles = false
    /// Whether `parse_links` counts where the writer gives no links.
    var obeysParseLinks = false

    /// The schemes as a message lists them: `http or https`.
    var schemeList: String {
        let names = schemes.map { $0.dropLast("://".count) }
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }
}

// MARK: Tags

extension TextRules {
    /// Whether a code point may be part of a tag: a letter, a digit or `_`, by some rules also emoji.
    func isTagScalar(_ scalar: Unicode.Scalar) -> Bool {
        EntityScanner.isWord(scalar)
            || hasEmojiTags
                && (scalar.properties.isEmojiPresentation || scalar == "\u{200D}" || scalar == "\u{FE0F}")
    }

    /// Whether a word behind `#` is a tag.
    func isTag(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        !hasEmojiTags || word.contains { $0 != "_" && $0.properties.generalCategory != .decimalNumber }
    }

    /// The form in which tags are compared. Tags are stored in lower case.
    func tagKey(_ tag: String) -> String {
        guard ignoresUnderscores else { return tag }
        var key = tag.lowercased()
        key.unicodeScalars.removeAll { $0 == "_" }
        return key
    }
}

/// The limits that the configuration tells (§3.5). Texts count code points.
enum TextLimits {
    static let user = 256
    static let post = 256
    static let message = 2048
    /// All annotations of one object, as compact JSON.
    static let annotationBytes = 8192
    /// The length that a template counts for in a text.
    static let postID = 9
    static let messageID = 12
}
