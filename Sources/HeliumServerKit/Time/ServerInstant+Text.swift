internal import HeliumJSON

extension ServerInstant {
    /// Parses ISO 8601 as Docs/Protocols/Cosm.md §2.6 defines it: date and time, an optional fraction of up to nine
    /// digits of which six are used, and `Z`, `±hh:mm`, `±hhmm`, `±hh` or no zone, which means UTC. Returns `nil` for
    /// other text.
    package init?(_ text: some StringProtocol) {
        var scanner = StampScanner(text)
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
            let day = scanner.number(2), scanner.take("T"), let hour = scanner.number(2), scanner.take(":"),
            let minute = scanner.number(2), scanner.take(":"), let second = scanner.number(2),
            year >= 1, 1...12 ~= month, day >= 1, day <= CivilDate.days(inMonth: month, of: year),
            hour < 24, minute < 60, second < 60, let fraction = scanner.fraction(), let offset = scanner.zone(),
            scanner.isAtEnd
        else { return nil }
        let days = CivilDate.daysSince1970(year: year, month: month, day: day)
        let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
        self.init(microseconds: seconds * Self.perSecond + Int64(fraction))
        guard Self.earliest...Self.latest ~= self else { return nil }
    }

    /// Returns the instant in ISO 8601 with six digits of fraction.
    ///
    /// - Parameter offset: The time zone of the text, in seconds east of UTC. Default: `nil`, which means UTC, written
    ///   as `Z`.
    package func text(offset: Int? = nil) -> String {
        let (day, rest) = adding(seconds: Int64(offset ?? 0)).dayAndRest
        let date = CivilDate.date(daysSince1970: day)
        let (seconds, fraction) = rest.quotientAndRemainder(dividingBy: Self.perSecond)
        return String(unsafeUninitializedCapacity: 32) { out in
            var writer = DigitWriter(out: out)
            writer.write(date.year, 4, then: "-")
            writer.write(date.month, 2, then: "-")
            writer.write(date.day, 2, then: "T")
            writer.write(Int(seconds) / 3600, 2, then: ":")
            writer.write(Int(seconds) / 60 % 60, 2, then: ":")
            writer.write(Int(seconds) % 60, 2, then: ".")
            if let offset {
                writer.write(Int(fraction), 6, then: offset < 0 ? "-" : "+")
                writer.write(abs(offset) / 3600, 2, then: ":")
                writer.write(abs(offset) / 60 % 60, 2, then: nil)
            } else {
                writer.write(Int(fraction), 6, then: "Z")
            }
            return writer.count
        }
    }
}

/// Reads the parts of a timestamp from left to right.
private struct StampScanner {
    private var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = rest.first, UInt32(byte) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads a fraction in microseconds; 0 if there is no fraction.
    mutating func fraction() -> Int? {
        guard take(".") else { return 0 }
        var (value, count) = (0, 0)
        while let digit = digit() {
            count += 1
            if count <= 6 { value = value * 10 + digit }
        }
        guard 1...9 ~= count else { return nil }
        for _ in min(count, 6)..<6 { value *= 10 }
        return value
    }

    /// Reads a time zone in seconds east of UTC.
    mutating func zone() -> Int? {
        if isAtEnd || take("Z") { return 0 }
        let sign: Int
        if take("+") {
            sign = 1
        } else if take("-") {
            sign = -1
        } else {
            return nil
        }
        guard let hours = number(2) else { return nil }
        let minutes: Int
        if isAtEnd {
            minutes = 0
        } else {
            _ = take(":")
            guard let read = number(2) else { return nil }
            minutes = read
        }
        guard hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func digit() -> Int? {
        guard let byte = rest.first, 48...57 ~= byte else { return nil }
        rest.removeFirst()
        return Int(byte) - 48
    }
}

/// Writes numbers with leading zeros into the memory of a string.
private struct DigitWriter {
    let out: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(out: UnsafeMutableBufferPointer<UInt8>) { self.out = out }

    mutating func write(_ value: Int, _ digits: Int, then separator: Character?) {
        var value = value
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            out[index] = UInt8(48 + value % 10)
            value /= 10
        }
        count += digits
        if let byte = separator?.asciiValue {
            out[count] = byte
            count += 1
        }
    }
}
