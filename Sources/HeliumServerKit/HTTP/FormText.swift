/// The text of a query or of a body of `application/x-www-form-urlencoded`: names and values.
package enum FormText {
    /// Returns the decoded pairs in their order. A name without `=` has an empty value.
    package static func pairs(of text: Substring) -> [(name: String, value: String)] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (
                PercentEncoding.decodedFormText(Substring(parts[0])),
                parts.count == 2 ? PercentEncoding.decodedFormText(Substring(parts[1])) : ""
            )
        }
    }

    /// Returns the encoded text of pairs in their order.
    package static func text(of pairs: [(String, String)]) -> String {
        pairs.map { "\(PercentEncoding.encodedFormValue($0.0))=\(PercentEncoding.encodedFormValue($0.1))" }
            .joined(separator: "&")
    }
}
