public import Foundation
internal import HeliumServerKit

/// A simulated thermometer with a reading at each whole minute of the last 30 days: a daily curve with noise.
///
/// A reading only depends on the seed and the minute, so every server and every test gets the same readings.
public struct ConAirSensor: Hashable, Sendable {
    /// The seed of the noise.
    public var seed: UInt64

    /// Creates a sensor.
    ///
    /// - Parameter seed: The seed of the noise. Default: 0.
    public init(seed: UInt64 = 0) { self.seed = seed }

    /// Returns the reading of the minute that contains `date`, in degrees Celsius with two decimals.
    public func value(at date: Date) -> Double {
        value(minute: ServerInstant(date).microseconds.floored(to: Self.minute).quotient)
    }

    static let minute: Int64 = 60 * ServerInstant.perSecond
    static let memory: Int64 = 30 * 86_400 * ServerInstant.perSecond

    /// Returns the reading of a minute.
    ///
    /// - Parameter minute: The number of minutes since 1970.
    func value(minute: Int64) -> Double {
        let minutesPerDay: Int64 = 1440
        let ofDay = Double(minute.floored(to: minutesPerDay).rest) / Double(minutesPerDay)
        // The coldest time is 4:00, the warmest 16:00.
        let curve = 21 - 2.5 * cos(2 * .pi * (ofDay - 4.0 / 24))
        return ((curve + noise(minute)) * 100).rounded() / 100
    }

    /// Returns a number in -0.15 ..< 0.15: SplitMix64's output for the minute.
    private func noise(_ minute: Int64) -> Double {
        var bits = seed &+ UInt64(bitPattern: minute) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return (Double(bits >> 11) / Double(UInt64(1) << 53) - 0.5) * 0.3
    }

    /// Returns the readings in a time range, in order.
    ///
    /// - Parameter now: The time of the server. No reading is later, and none is more than 30 days earlier.
    func readings(in range: Range<ServerInstant>, now: ServerInstant) -> some Sequence<Reading> {
        let from = max(range.lowerBound.microseconds, now.microseconds - Self.memory)
        let to = min(range.upperBound.microseconds - 1, now.microseconds)
        let first = (from - 1).floored(to: Self.minute).quotient + 1
        let last = to.floored(to: Self.minute).quotient
        return (first..<max(first, last + 1)).lazy.map { minute in
            Reading(instant: ServerInstant(microseconds: minute * Self.minute), value: value(minute: minute))
        }
    }
}

extension Int64 {
    /// Divides by a positive number, rounding down.
    func floored(to divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}
