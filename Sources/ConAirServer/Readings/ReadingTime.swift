internal import HeliumJSON
internal import HeliumServerKit

extension ServerInstant {
    /// Reads `2012-12-11 20:28:00 +0000`, or RFC 3339.
    init?(readingTime text: String) {
        var bytes = Array(text.utf8)
        // RFC 3339 has no blank before the offset; the rest of the form is a date of RFC 3339 as our reader takes it.
        if bytes.count == 25, bytes[10] == UInt8(ascii: " "), bytes[19] == UInt8(ascii: " ") { bytes.remove(at: 19) }
        self.init(bytes)
    }

    /// Reads RFC 3339.
    init?(rfc3339 text: String) { self.init(Array(text.utf8)) }

    private init?(_ bytes: [UInt8]) {
        guard bytes.count > 10, let instant = bytes.withUnsafeBufferPointer({ RFC3339.instant(in: $0) }) else {
            return nil
        }
        self.init(microseconds: instant.seconds * Self.perSecond + Int64(instant.nanoseconds / 1000))
    }

    /// `2012-12-11 20:28:00 +0000`: whole seconds, rounded down.
    var readingTime: String {
        let text = text()
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) +0000"
    }
}
