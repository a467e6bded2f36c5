/// Cosm's keys in paths: no message and no log repeats them.
package enum KeyMask {
    /// The segments of an encoded path, the one behind `keys` replaced by `:key`.
    package static func segments(of path: Substring) -> [Substring] {
        var followsKeys = false
        return path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            if segment.isEmpty { return segment }
            defer {
                let name = PercentEncoding.decoded(segment)?.lowercased() ?? ""
                followsKeys = name == "keys" || name.hasPrefix("keys.")
            }
            return followsKeys ? ":key" : segment
        }
    }
}
