public import Foundation
internal import HeliumServerKit

/// A simulated thermometer: one reading at each whole minute of the last 30 days, a curve of the day with some noise.
///
/// A reading is a function of seed and minute alone, so every server and every test sees the same.
public struct ConAirSensor: Hashable, Sendable {
    /// What the noise depends on.
    public var seed: UInt64

    /// - Parameter seed: What the noise depends on. Default: 0.
    public init(seed: UInt64 = 0) { self.seed = seed }

    /// The reading of the minute in which `date` lies, in degrees Celsius with two digits of fraction.
    public func value(at date: Date) -> Double {
        value(minute: ServerInstant(date).microseconds.floored(to: Self.minute).quotient)
    }

    static let minute: Int64 = 60 * ServerInstant.perSecond
    static let memory: Int64 = 30 * 86_400 * ServerInstant.perSecond

    /// - Parameter minute: The number of minutes since 1970.
    func value(minute: Int64) -> Double {
        let minutesPerDay: Int64 = 1440
        let ofDay = Double(minute.floored(to: minutesPerDay).rest) / Double(minutesPerDay)
        // Coldest at four in the morning, warmest at four in the afternoon.
        let curve = 21 - 2.5 * cos(2 * .pi * (ofDay - 4.0 / 24))
        return ((curve + noise(minute)) * 100).rounded() / 100
    }

    /// A number in -0.15 ..< 0.15: SplitMix64's output for the minute.
    private func noise(_ minute: Int64) -> Double {
        var bits = seed &+ UInt64(bitPattern: minute) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return (Double(bits >> 11) / Double(UInt64(1) << 53) - 0.5) * 0.3
    }

    /// The readings in a range of time, in their order.
    ///
    /// - Parameter now: The server's time. Nothing is later, and nothing is more than 30 days earlier.
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
    /// Division by a positive number, rounded down.
    func floored(to divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}
