/// The host of a URL, or of what looks like one.
enum WebHost {
    /// The beginnings of URLs that become links; pnut has more of them (§6.3).
    static func schemes(isPnut: Bool) -> [String] {
        ["http://", "https://"] + (isPnut ? ["ftp://", "gopher://"] : [])
    }

    /// The end of the scheme, with its slashes, with which `scalars` begin in any letter case; `nil` if they begin with
    /// none.
    static func schemeEnd(of scalars: ArraySlice<Unicode.Scalar>, isPnut: Bool) -> Int? {
        for scheme in schemes(isPnut: isPnut) {
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
    static func authority(of text: String, isPnut: Bool = false) -> String {
        let scalars = Array(text.unicodeScalars)
        let rest = scalars[(schemeEnd(of: scalars[...], isPnut: isPnut) ?? 0)...]
        return String(String.UnicodeScalarView(rest.prefix { !endsAuthority($0) && !$0.properties.isWhitespace }))
    }

    /// Whether a path, a query or a fragment begins.
    static func endsAuthority(_ scalar: Unicode.Scalar) -> Bool { scalar == "/" || scalar == "?" || scalar == "#" }
}
