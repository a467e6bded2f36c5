internal import HeliumJSON

/// The form of a text in the full-text indexes: folded words, separated by spaces.
///
/// The tokenizer `ascii` of SQLite splits at ASCII characters other than letters and digits, and ignores the case of
/// ASCII letters. It does nothing else, so the index has exactly the tokens of ``FoldedWord``.
enum IndexedText {
    /// Returns the form of a text. An ASCII text is its own form.
    static func words(of text: String) -> String {
        if text.isASCII { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 8)
        var scanner = WordScanner()
        scanner.scan(text.unicodeScalars) { word in
            word.forEachToken { token in
                if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
                for scalar in word.scalars[token.range] { append(scalar, to: &bytes) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.isASCII {
            bytes.append(UInt8(scalar.value))
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
