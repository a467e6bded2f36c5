internal import HeliumJSON

extension SeriesTime: LosslessStringConvertible {
    /// Reads a time in one of the two text formats of the service; `nil` for any other text.
    ///
    /// - `2012-12-11 20:28:00 +0000`, the form of the service
    /// - `2012-12-11T20:28:00Z`, RFC 3339, with or without a fraction
    ///
    /// Both need a date, a time and an offset. Only six digits of a fraction are used.
    public init?(_ text: String) {
        var text = text
        guard let time = text.withUTF8({ SeriesTime(bytes: $0) }) else { return nil }
        self = time
    }

    /// The time in UTC in RFC 3339 format, with a fraction of a second only if it is not zero: `2012-12-11T20:28:00Z`.
    public var description: String {
        var (days, time) = microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        if time < 0 {
            time += 86_400_000_000
            days -= 1
        }
        let (year, month, day) = CivilDate.date(daysSince1970: Int(days))
        let (seconds, fraction) = time.quotientAndRemainder(dividingBy: 1_000_000)
        let date = "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))"
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Self.padded(Int($0)) }.joined(
            separator: ":"
        )
        return "\(date)T\(clock)\(fraction == 0 ? "" : ".\(Self.padded(Int(fraction), 6))")Z"
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension SeriesTime {
    /// Reads a time from UTF-8 text.
    init?(bytes: UnsafeBufferPointer<UInt8>) {
        // The RFC 3339 reader accepts a date without a time. The longest valid text has a long fraction.
        guard 20...64 ~= bytes.count else { return nil }
        // The service's format has a space before the offset, unlike RFC 3339.
        if let space = bytes[19...].firstIndex(of: UInt8(ascii: " ")) {
            let instant = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count - 1) { text in
                for index in 0..<space { text[index] = bytes[index] }
                for index in space..<(bytes.count - 1) { text[index] = bytes[index + 1] }
                return RFC3339.instant(in: UnsafeBufferPointer(text))
            }
            self.init(instant)
        } else {
            self.init(RFC3339.instant(in: bytes))
        }
    }

    private init?(_ instant: RFC3339.Instant?) {
        guard let instant else { return nil }
        self.init(microseconds: instant.seconds * 1_000_000 + Int64(instant.nanoseconds / 1000))
    }
}
