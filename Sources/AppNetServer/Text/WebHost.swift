/// Parses the host of a URL or of a text that resembles a URL.
enum WebHost {
    /// Returns the end of the scheme with which `scalars` begin, including its slashes; `nil` if they do not begin with
    /// a scheme of the rules. Case is ignored.
    static func schemeEnd(of scalars: ArraySlice<Unicode.Scalar>, _ rules: TextRules) -> Int? {
        for scheme in rules.schemes {
            let end = scalars.startIndex + scheme.utf8.count
            guard end <= scalars.endIndex else { continue }
            let isSame = zip(scalars, scheme.utf8).allSatisfy { scalar, byte in
                scalar.value == byte || ("A"..."Z").contains(scalar) && scalar.value | 0x20 == byte
            }
            if isSame { return end }
        }
        return nil
    }

    /// Returns the text after an optional scheme, up to `/`, `?`, `#` or white space.
    static func authority(of text: String, _ rules: TextRules = .appNet) -> String {
        let scalars = Array(text.unicodeScalars)
        let rest = scalars[(schemeEnd(of: scalars[...], rules) ?? 0)...]
        return String(String.UnicodeScalarView(rest.prefix { !endsAuthority($0) && !$0.properties.isWhitespace }))
    }

    /// Returns whether a path, a query or a fragment begins at a scalar.
    static func endsAuthority(_ scalar: Unicode.Scalar) -> Bool { scalar == "/" || scalar == "?" || scalar == "#" }
}
