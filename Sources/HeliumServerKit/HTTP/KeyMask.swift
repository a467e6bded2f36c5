/// Masks Cosm's keys in paths, so that messages and logs do not contain them.
package enum KeyMask {
    /// Returns the segments of an encoded path. The segment after `keys` is replaced by `:key`.
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
