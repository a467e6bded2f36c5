internal import HeliumCore
internal import HeliumJSON

/// The URLs of keys, whose last segment is a secret (Docs/Protocols/Cosm.md §7).
enum KeyURL {
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
