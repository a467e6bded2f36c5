internal import HeliumJSON
internal import HeliumServerKit

extension ServerInstant {
    /// Reads a time in the format `2012-12-11 20:28:00 +0000` or in RFC 3339.
    init?(readingTime text: String) {
        var bytes = Array(text.utf8)
        // RFC 3339 has no space before the offset. Without that space, the RFC 3339 reader accepts the format.
        if bytes.count == 25, bytes[10] == UInt8(ascii: " "), bytes[19] == UInt8(ascii: " ") { bytes.remove(at: 19) }
        self.init(bytes)
    }

    /// Reads a time in RFC 3339.
    init?(rfc3339 text: String) { self.init(Array(text.utf8)) }

    private init?(_ bytes: [UInt8]) {
        guard bytes.count > 10, let instant = bytes.withUnsafeBufferPointer({ RFC3339.instant(in: $0) }) else {
            return nil
        }
        self.init(microseconds: instant.seconds * Self.perSecond + Int64(instant.nanoseconds / 1000))
    }

    /// The time as `2012-12-11 20:28:00 +0000`, in whole seconds, rounded down.
    var readingTime: String {
        let text = text()
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) +0000"
    }
}
