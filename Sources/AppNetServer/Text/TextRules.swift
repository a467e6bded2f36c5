internal import Foundation
internal import HeliumJSON

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
    /// Returns whether a code point can begin a tag: a letter, a digit or `_`, and with some rules also an emoji.
    func beginsTag(_ scalar: Unicode.Scalar) -> Bool {
        EntityScanner.isWord(scalar) || hasEmojiTags && scalar.properties.isEmojiPresentation
    }

    /// Returns whether a word after `#` is a tag.
    func isTag(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        !hasEmojiTags
            || word.contains {
                $0 != "_" && $0.properties.generalCategory != .decimalNumber && !EntityScanner.isMark($0)
            }
    }

    /// Returns a tag in the form in which it is looked up: canonically composed, so that the form in which a letter with
    /// an accent was typed makes no difference.
    static func composed(_ tag: String) -> String {
        // Composing a run of marks takes time proportional to the square of its length. No tag has long runs.
        tag.isSlowToCompare ? tag : tag.precomposedStringWithCanonicalMapping
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
    /// The maximum number of combining marks in a row in a tag. Unicode's stream-safe text format has the same limit.
    static let marks = 30
    /// The maximum size of all annotations of an object, as compact JSON.
    static let annotationBytes = 8192
    /// The maximum size of a text in bytes before Markdown links are removed from it.
    static let writtenBytes = 65_536
    /// The maximum number of links that a client can send with a text.
    static let links = 1024
    /// The maximum size of a link's URL in bytes.
    static let urlBytes = 4096
    /// The maximum size of the host in bytes that is written after a link's anchor (RFC 1035 §2.3.4).
    static let hostBytes = 255
    /// The maximum size in bytes of the URLs and titles of all links of a text. Each answer that shows the text contains
    /// them twice.
    static let linkBytes = 16_384
    /// The length of a template in the length of a text.
    static let postID = 9
    static let messageID = 12
}
