internal import Foundation

/// Texts in the form in which they are compared.
enum FoldedText {
    /// A hashtag without differences of case and width.
    static func hashtag(_ name: String) -> String {
        var name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        let isASCII = name.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
        if isASCII { return name.lowercased() }
        return name.folding(options: [.caseInsensitive, .widthInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
    }

    /// The name of a place, canonically composed.
    static func placeName(_ name: String) -> String {
        var name = name
        let isASCII = name.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
        return isASCII ? name : name.precomposedStringWithCanonicalMapping
    }
}
