/// The host of a URL, or of what looks like one.
enum WebHost {
    /// Strips an optional scheme and reads up to `/`, `?`, `#` or white space.
    static func authority(of text: String) -> String {
        var rest = Substring(text)
        for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
            break
        }
        return String(rest.prefix { !"/?#".contains($0) && !$0.isWhitespace })
    }
}
