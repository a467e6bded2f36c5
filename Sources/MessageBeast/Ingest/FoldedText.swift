internal import Foundation
internal import HeliumJSON

/// Texts of other clients in the form in which they are stored and compared.
///
/// Composition and case folding sort each run of combining marks, which takes quadratic time in the length of the run.
/// A text with more than 256 consecutive marks is therefore kept unchanged and compared by its bytes.
enum FoldedText {
    /// Returns a hashtag folded for case and width.
    static func hashtag(_ name: String) -> String {
        let name = name.utf8.first == UInt8(ascii: "#") ? String(name.unicodeScalars.dropFirst()) : name
        if name.isASCII { return name.lowercased() }
        if name.isSlowToCompare { return name }
        return name.folding(options: [.caseInsensitive, .widthInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
    }

    /// Returns the name of a place, canonically composed. U+0000, at which SQLite ends a text, becomes U+FFFD.
    static func placeName(_ name: String) -> String {
        let name = withoutNull(name)
        return name.isASCII || name.isSlowToCompare ? name : name.precomposedStringWithCanonicalMapping
    }

    /// Returns a text with U+FFFD in place of U+0000.
    static func withoutNull(_ text: String) -> String {
        text.utf8.contains(0) ? text.replacingBytes(of: "\0", with: "\u{FFFD}") : text
    }
}
