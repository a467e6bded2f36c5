internal import HeliumJSON

/// Dates as text on the wire (Docs/Protocols/Jetstream.md §2.4).
enum DateText {
    /// Returns the seconds since 1970 of RFC 3339 text, with millisecond precision; `nil` for other text.
    static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> JSONNumber? {
        guard let instant = RFC3339.instant(in: text, assumingUTC: true) else { return nil }
        let milliseconds = Int64(instant.nanoseconds / 1_000_000)
        if milliseconds == 0 { return JSONNumber(instant.seconds) }
        return JSONNumber(Double(instant.seconds * 1000 + milliseconds) / 1000)
    }
}
