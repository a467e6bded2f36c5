/// A number of bytes as text, in units of 1,000.
struct ByteCount: Hashable, CustomStringConvertible {
    let bytes: Int64

    init(_ bytes: Int64) { self.bytes = max(0, bytes) }

    /// The text, for example `999 B`, `1.2 MB` or `31.4 GB`.
    var description: String {
        if bytes < 1000 { return "\(bytes) B" }
        var tenths = bytes / 100
        var unit = 0
        while tenths >= 10_000, unit < Self.units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(Self.units[unit])"
    }

    private static let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
}
