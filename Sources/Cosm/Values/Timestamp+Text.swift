public import HeliumJSON

extension Timestamp: LosslessStringConvertible {
    /// Creates the instant that a timestamp names; `nil` if the text is not a timestamp (Docs/Protocols/Cosm.md §2.6).
    ///
    /// The form is ISO 8601 with date and time: `2013-01-04T10:22:40.111636Z`. The fraction is optional and has up to
    /// nine digits, of which six are kept. The zone is `Z`, `+02:00`, `+0200` or `+02`. Without a zone the time is UTC.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let stamp = text.withUTF8({ Timestamp(bytes: $0) }) else { return nil }
        self = stamp
    }

    /// The timestamp in the form of the service: UTC, six fractional digits, `Z`.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.textLength) { out in
            guard let start = out.baseAddress else { return 0 }
            write(to: start)
            return Self.textLength
        }
    }
}

extension Timestamp {
    /// Creates the instant that a timestamp in UTF-8 names; `nil` for other texts.
    init?(bytes: UnsafeBufferPointer<UInt8>) {
        // The RFC 3339 parser also accepts dates without a time, a space instead of the T, and fractions of any length.
        // Cosm does not (Docs/Protocols/Cosm.md §2.6).
        guard bytes.count >= 19, bytes[10] | 0x20 == UInt8(ascii: "t"), Self.fractionLength(of: bytes) <= 9,
            let instant = RFC3339.instant(in: bytes, assumingUTC: true)
        else { return nil }
        self.init(microseconds: instant.seconds * 1_000_000 + Int64(instant.nanoseconds / 1000))
    }

    private static func fractionLength(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard bytes.count > 29, bytes[19] == UInt8(ascii: ".") else { return 0 }
        return bytes[20...].prefix { $0 &- 0x30 < 10 }.count
    }

    /// The number of bytes that ``write(to:)`` writes.
    static let textLength = 27

    /// Writes ``description`` as UTF-8.
    ///
    /// - Parameter out: A buffer of at least ``textLength`` bytes.
    func write(to out: UnsafeMutablePointer<UInt8>) {
        var (day, time) = microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
        if time < 0 {
            time += 86_400_000_000
            day -= 1
        }
        Self.writeDay(Int(day), to: out)
        Self.writeTime(Int(time), to: out)
    }

    /// Writes the first 11 bytes: `2013-01-04T`.
    static func writeDay(_ daysSince1970: Int, to out: UnsafeMutablePointer<UInt8>) {
        let (year, month, day) = CivilDate.date(daysSince1970: daysSince1970)
        put(year / 100, out, 0)
        put(year % 100, out, 2)
        out[4] = UInt8(ascii: "-")
        put(month, out, 5)
        out[7] = UInt8(ascii: "-")
        put(day, out, 8)
        out[10] = UInt8(ascii: "T")
    }

    /// Writes the remaining 16 bytes: `10:22:40.111636Z`.
    ///
    /// - Parameter time: The time since midnight, in microseconds.
    static func writeTime(_ time: Int, to out: UnsafeMutablePointer<UInt8>) {
        let (seconds, fraction) = time.quotientAndRemainder(dividingBy: 1_000_000)
        put(seconds / 3600, out, 11)
        out[13] = UInt8(ascii: ":")
        put(seconds / 60 % 60, out, 14)
        out[16] = UInt8(ascii: ":")
        put(seconds % 60, out, 17)
        out[19] = UInt8(ascii: ".")
        put(fraction / 10_000, out, 20)
        put(fraction / 100 % 100, out, 22)
        put(fraction % 100, out, 24)
        out[26] = UInt8(ascii: "Z")
    }

    @inline(__always)
    private static func put(_ value: Int, _ out: UnsafeMutablePointer<UInt8>, _ position: Int) {
        out[position] = UInt8(truncatingIfNeeded: 48 &+ value / 10)
        out[position &+ 1] = UInt8(truncatingIfNeeded: 48 &+ value % 10)
    }
}

extension Timestamp: Codable, JSONReadable, WireValue {
    static var expectation: String { "a timestamp" }

    init?(wireText text: String) { self.init(text) }

    init?(wireBytes bytes: UnsafeBufferPointer<UInt8>, isNumber: Bool) {
        guard !isNumber else { return nil }
        self.init(bytes: bytes)
    }

    var wireText: String { description }
}
