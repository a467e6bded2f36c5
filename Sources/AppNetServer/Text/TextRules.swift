/// The rules of a dialect for texts (Docs/Protocols/AppNet.md §3.6, §6.3).
struct TextRules: Hashable, Sendable {
    /// The prefixes of URLs that become links, in lower case.
    var schemes = ["http://", "https://"]
    /// Whether `/@name` and the mentions that directly follow it are copies.
    var hasCopies = false
    /// Whether tags can contain emoji, and numbers alone are not tags.
    var hasEmojiTags = false
    /// Whether `_` is ignored when tags are looked up.
    var ignoresUnderscores = false
    /// Whether Markdown links can have a title after the URL, and a host without a scheme.
    var hasMarkdownTitles = false
    /// Whether `parse_links` is used if the client sends no links.
    var obeysParseLinks = false

    /// The schemes for error messages: `http or https`.
    var schemeList: String {
        let names = schemes.map { $0.dropLast("://".count) }
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }
}

// MARK: Tags

extension TextRules {
    /// Returns whether a code point can be part of a tag: a letter, a digit or `_`, and with some rules also emoji.
    func isTagScalar(_ scalar: Unicode.Scalar) -> Bool {
        EntityScanner.isWord(scalar)
            || hasEmojiTags
                && (scalar.properties.isEmojiPresentation || scalar == "\u{200D}" || scalar == "\u{FE0F}")
    }

    /// Returns whether a word after `#` is a tag.
    func isTag(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        !hasEmojiTags || word.contains { $0 != "_" && $0.properties.generalCategory != .decimalNumber }
    }

    /// Returns the form in which tags are compared. Tags are stored in lower case.
    func tagKey(_ tag: String) -> String {
        guard ignoresUnderscores else { return tag }
        var key = tag.lowercased()
        key.unicodeScalars.removeAll { $0 == "_" }
        return key
    }
}

/// The limits in the configuration object (Docs/Protocols/AppNet.md §3.5). Lengths of texts are in code points.
enum TextLimits {
    static let user = 256
    static let post = 256
    static let message = 2048
    /// The maximum size of all annotations of an object, as compact JSON.
    static let annotationBytes = 8192
    /// The length of a template in the length of a text.
    static let postID = 9
    static let messageID = 12
}
