internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// The URLs of keys, whose last segment is a secret (Docs/Protocols/Cosm.md §7).
enum KeyURL {
    /// Returns the keys that a path names, as they are in the path and unescaped.
    static func keys(in path: String) -> [String] {
        let segments = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        return zip(segments, segments.dropFirst()).filter { $0.0.lowercased() == "keys" }.flatMap { _, segment in
            let key =
                CosmFormat.allCases.first { segment.lowercased().hasByteSuffix($0.suffix) }
                .map { segment.dropLast($0.suffix.count) } ?? segment
            return [String(key), key.removingPercentEncoding ?? String(key)]
        }
    }

    /// Returns a URL with the segment after `keys/` masked. Placeholders of a template are kept.
    ///
    /// The segment is found by its place, because a short key cannot be found by its text.
    static func masked(_ url: String) -> String {
        let end = url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.endIndex
        var segments = url[..<end].split(atByte: "/", omittingEmptySubsequences: false).map(String.init)
        for index in segments.indices.dropFirst() where segments[index - 1].lowercased() == "keys" {
            if !segments[index].isEmpty, !segments[index].hasPrefix(":") { segments[index] = Redactor.mask }
        }
        return segments.joined(separator: "/") + url[end...]
    }
}
