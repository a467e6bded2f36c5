/// Unicode default lower-casing without a locale: full mappings and the final-sigma rule (Docs/Protocols/Middleware.md
/// §1.4).
///
/// `String.lowercased()` lacks the final-sigma rule, so the text is mapped scalar by scalar.
enum DefaultLowerCase {
    private static let capitalSigma: Unicode.Scalar = "\u{3A3}"

    static func apply(to text: String) -> String {
        // Nearly all signed texts are ASCII, for which both methods have the same result.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let scalars = Array(text.unicodeScalars)
        var lowered = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            if scalar == capitalSigma {
                lowered.append(isFinal(index, in: scalars) ? "\u{3C2}" : "\u{3C3}")
            } else {
                lowered.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return String(lowered)
    }

    /// Returns whether a sigma is final (Unicode's `Final_Sigma`): a cased letter before it and none after it, skipping
    /// case-ignorable scalars on both sides.
    private static func isFinal(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
        let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
        return before?.properties.isCased == true && after?.properties.isCased != true
    }
}
