/// The host of a URL, or of what looks like one.
enum WebHost {
    /// The end of the scheme, with its slashes, with which `scalars` begin in any letter case; `nil` if they begin with
    /// none of the rules' schemes.
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

    /// Strips an optional scheme and reads up to `/`, `?`, `#` or white space.
    static func authority(of text: String, _ rules: TextRules = .appNet) -> String {
        let scalars = Array(text.unicodeScalars)
        let rest = scalars[(schemeEnd(of: scalars[...], rules) ?? 0)...]
        return String(String.UnicodeScalarView(rest.prefix { !endsAuthority($0) && !$0.properties.isWhitespace }))
    }

    /// Whether a path, a query or a fragment begins.
    static func endsAuthority(_ scalar: Unicode.Scalar) -> Bool { scalar == "/" || scalar == "?" || scalar == "#" }
}
