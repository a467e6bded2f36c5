package import HeliumEssentials

/// The date format of the middleware and most JSON APIs (RFC 3339), on the proleptic Gregorian calendar.
///
/// Reading and writing work on bytes without a locale or formatter, so they have the same result on every platform.
package enum RFC3339 {
    /// Returns the date in UTC with milliseconds, rounded to the nearest: `2016-02-12T08:00:07.000Z`. A date outside of
    /// the years 1 to 9999, which can't be written in this format, is replaced by the nearest one inside.
    package static func string(from date: Date) -> String {
        String(unsafeUninitializedCapacity: maximumLength) { out in
            out.baseAddress.map { write(date, milliseconds: true, to: $0) } ?? 0
        }
    }

    /// Returns the date of `text`, or `nil` if it is invalid. ``instant(in:assumingUTC:)`` describes the accepted
    /// formats.
    package static func date(from text: String) -> Date? {
        var text = text
        return text.withUTF8 { instant(in: $0)?.date }
    }

    /// The seconds since 1970 from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    package static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// A point in time with the precision of the text: whole seconds since 1970, and additional nanoseconds.
    package struct Instant: Hashable, Sendable {
        package var seconds: Int64
        package var nanoseconds: Int

        package init(seconds: Int64, nanoseconds: Int) {
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }

        /// The nearest `Date`.
        package var date: Date {
            // Computed from `Date`'s own reference date, so that the fraction is rounded once.
            Date(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(nanoseconds) / 1e9)
        }
    }
}

// MARK: Reading

extension RFC3339 {
    /// Returns the instant of UTF-8 text, or `nil` if it is invalid.
    ///
    /// - Date and time: `2016-02-12T08:00:07Z`. `t` and a space are accepted in place of `T`, and `z` in place of `Z`.
    ///   A fraction may have any length; nine digits are used. An offset `Z`, `+02:00`, `+0200` or `+02` is required
    ///   unless `assumingUTC`.
    /// - Date only: `2016-02-12`, midnight UTC.
    /// - The leap second 23:59:60 UTC is the first instant of the next day.
    ///
    /// Years are 0001 to 9999. Days, hours, minutes, seconds and offsets must exist.
    package static func instant(in text: UnsafeBufferPointer<UInt8>, assumingUTC: Bool = false) -> Instant? {
        var text = Digits(bytes: text)
        guard let year = text.number(4), year > 0, text.take("-"), let month = text.number(2), 1...12 ~= month,
            text.take("-"), let day = text.number(2), day > 0, day <= CivilDate.days(inMonth: month, of: year)
        else { return nil }
        var instant = Instant(
            seconds: Int64(CivilDate.daysSince1970(year: year, month: month, day: day)) * 86_400,
            nanoseconds: 0
        )
        if text.isAtEnd { return instant }

        guard text.take("T") || text.take("t") || text.take(" "), let hour = text.number(2), hour < 24,
            text.take(":"), let minute = text.number(2), minute < 60,
            text.take(":"), let second = text.number(2), second <= 60
        else { return nil }
        instant.seconds += Int64(hour * 3600 + minute * 60 + min(second, 59))
        if text.take(".") {
            guard let nanoseconds = text.fraction() else { return nil }
            instant.nanoseconds = nanoseconds
        }
        if !(text.isAtEnd && assumingUTC) {
            guard let offset = text.offset(), text.isAtEnd else { return nil }
            instant.seconds -= Int64(offset)
        }
        if second == 60 {
            // Days before 1970 have negative seconds. The last second of a day is one less than a multiple of 86,400
            // there, too.
            guard (instant.seconds + 1) % 86_400 == 0 else { return nil }
            instant = Instant(seconds: instant.seconds + 1, nanoseconds: 0)
        }
        return instant
    }
}

private struct Digits {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(truncatingIfNeeded: character.value) else {
            return false
        }
        position += 1
        return true
    }

    /// Reads exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        guard bytes.count - position >= count else { return nil }
        var value = 0
        for index in position..<(position + count) {
            let digit = bytes[index] &- 48
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        position += count
        return value
    }

    /// Reads one or more digits, and returns the first nine as nanoseconds.
    mutating func fraction() -> Int? {
        let start = position
        var (value, unit) = (0, 100_000_000)
        while position < bytes.count, case let digit = bytes[position] &- 48, digit < 10 {
            value += Int(digit) * unit
            unit /= 10
            position += 1
        }
        return position > start ? value : nil
    }

    /// Reads an offset and returns the seconds east of UTC.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(2), hours < 24 else { return nil }
        if isAtEnd { return sign * hours * 3600 }
        _ = take(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}

// MARK: Writing

extension RFC3339 {
    /// The maximum length of a written date.
    static let maximumLength = 24

    /// Writes a date like ``string(from:)``, or without milliseconds, with the second rounded down.
    ///
    /// - Parameter out: Memory for ``maximumLength`` bytes.
    /// - Returns: The number of bytes written.
    static func write(_ date: Date, milliseconds: Bool, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let seconds = date.timeIntervalSince1970
        let nearest = milliseconds ? (seconds * 1000).rounded() : seconds.rounded(.down) * 1000
        let range = (Self.seconds.lowerBound * 1000)...(Self.seconds.upperBound * 1000 + 999)
        let time: Int64
        if nearest < Double(range.upperBound) {
            time = nearest > Double(range.lowerBound) ? Int64(nearest) : range.lowerBound
        } else {
            time = nearest.isNaN ? range.lowerBound : range.upperBound
        }
        let (days, clock) = floored(time, 86_400_000)
        let (year, month, day) = CivilDate.date(daysSince1970: Int(days))
        put(year / 100, out, 0)
        put(year % 100, out, 2, "-")
        put(month, out, 5, "-")
        put(day, out, 8, "T")
        put(clock / 3_600_000, out, 11, ":")
        put(clock / 60_000 % 60, out, 14, ":")
        put(clock / 1000 % 60, out, 17, milliseconds ? "." : "Z")
        guard milliseconds else { return 20 }
        put(clock % 1000 / 10, out, 20)
        out[22] = UInt8(48 + clock % 10)
        out[23] = 0x5A
        return 24
    }

    /// Writes two digits and the mark after them.
    @inline(__always)
    private static func put(
        _ value: Int,
        _ out: UnsafeMutablePointer<UInt8>,
        _ position: Int,
        _ mark: Unicode.Scalar? = nil
    ) {
        out[position] = UInt8(truncatingIfNeeded: 48 + value / 10)
        out[position + 1] = UInt8(truncatingIfNeeded: 48 + value % 10)
        if let mark { out[position + 2] = UInt8(truncatingIfNeeded: mark.value) }
    }

    private static func floored(_ value: Int64, _ divisor: Int64) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (Int(quotient - 1), Int(remainder + divisor)) : (Int(quotient), Int(remainder))
    }
}
