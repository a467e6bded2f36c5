/// The host of a URL, or of what looks like one.
enum WebHost {
    /// The beginnings of URLs that become links; pnut has more of them (§6.3).
    static func schemes(isPnut: Bool) -> [String] {
        ["http://", "https://"] + (isPnut ? ["ftp://", "gopher://"] : [])
    }

    /// Strips an optional scheme and reads up to `/`, `?`, `#` or white space.
    static func authority(of text: String, isPnut: Bool = false) -> String {
        var rest = Substring(text)
        for scheme in schemes(isPnut: isPnut) where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
            break
        }
        return String(rest.prefix { !"/?#".contains($0) && !$0.isWhitespace })
    }
}
