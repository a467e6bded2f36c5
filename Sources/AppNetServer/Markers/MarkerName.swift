/// The names of markers (§2.3).
enum MarkerName {
    private static let whole: Set<String> = ["global", "my_stream", "unified"]
    private static let prefixes = ["posts:", "mentions:", "tag:", "explore:", "channel:"]

    static func isValid(_ name: String) -> Bool {
        if whole.contains(name) { return true }
        return name.utf8.count <= 256 && prefixes.contains { name.hasPrefix($0) && name.count > $0.count }
    }

    /// The channel of a marker; nil for other streams.
    static func channel(_ name: String) -> Int64? {
        name.hasPrefix("channel:") ? Int64(name.dropFirst("channel:".count)) : nil
    }
}
