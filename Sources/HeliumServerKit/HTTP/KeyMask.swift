internal import HeliumJSON

/// Masks Cosm's keys in paths, so that messages and logs do not contain them.
package enum KeyMask {
    /// Returns the path of a request target with an origin, which may contain a password: `http://user:password@host/path`.
    /// Other paths are returned unchanged.
    package static func withoutOrigin(_ path: Substring) -> Substring {
        guard path.utf8.first != UInt8(ascii: "/"), let origin = path.utf8.firstRange(of: "://".utf8) else {
            return path
        }
        return Substring(path.utf8[origin.upperBound...].drop { $0 != UInt8(ascii: "/") })
    }

    /// Returns the segments of an encoded path. The segment after `keys` is replaced by `:key`.
    package static func segments(of path: Substring) -> [Substring] {
        var followsKeys = false
        return path.split(atByte: "/", omittingEmptySubsequences: false).map { segment in
            if segment.isEmpty { return segment }
            defer {
                let name = PercentEncoding.decoded(segment)?.lowercased() ?? ""
                // By bytes: what makes equal characters equal takes too long for long runs of combining marks.
                let (start, rest) = (name.utf8.prefix(4), name.utf8.dropFirst(4))
                followsKeys = start.elementsEqual("keys".utf8) && (rest.isEmpty || rest.first == UInt8(ascii: "."))
            }
            return followsKeys ? ":key" : segment
        }
    }
}
