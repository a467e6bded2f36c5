public import Foundation
internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// What a sensor measured at a moment.
public struct ConAirReading: Hashable, Sendable {
    /// The moment, in whole microseconds. One outside of the years 1 to 9999 counts as the nearest inside.
    public var date: Date
    /// The value.
    public var value: Double

    /// A reading of `value` at `date`.
    public init(date: Date, value: Double) {
        self.date = date
        self.value = value
    }
}

/// Looks into the time series and changes it while the server runs: for tests and demonstrations.
public struct ConAirControl: Sendable {
    let state: ConAirState

    /// The number of stored readings, without the sensor's.
    ///
    /// - Throws: What the store throws where its file fails.
    public func readingCount() async throws -> Int { try await state.store.count() }

    /// Stores readings as `POST` does, but any number of them: late ones, and corrections of what the sensor said.
    ///
    /// - Throws: ``ConAirInvalidReading`` for a value that is not finite, before anything is stored; what the store throws where
    ///   its file fails.
    public func store(_ readings: [ConAirReading]) async throws {
        let stored = try readings.enumerated().map { index, reading in
            guard reading.value.isFinite else { throw ConAirInvalidReading(index: index) }
            return Reading(instant: ServerInstant(reading.date), value: reading.value)
        }
        try await state.store.save(stored, maximum: state.configuration.maximumReadings)
    }

    /// Hides what was read in a range of time, from the sensor or stored: there are no values until ``removeGaps()``.
    public func addGap(_ range: Range<Date>) {
        let gap = ServerInstant(range.lowerBound)..<ServerInstant(range.upperBound)
        state.values.withLock { $0.gaps.append(gap) }
    }

    /// Shows everything again.
    public func removeGaps() { state.values.withLock { $0.gaps = [] } }

    /// Sets whether the sensor's readings are there. The configuration must have one.
    public func setSensor(isOn: Bool) {
        state.values.withLock { $0.sensor = isOn ? state.configuration.sensor : nil }
    }
}

/// A reading that is not a number.
public struct ConAirInvalidReading: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place of the reading among those given, from 0.
    public let index: Int

    /// The place, in words.
    public var description: String { "reading \(index) has no finite value" }
}

/// What routes and control share.
final class ConAirState: Sendable {
    struct Values: Sendable {
        var sensor: ConAirSensor?
        /// The ranges of time without readings.
        var gaps: [Range<ServerInstant>] = []
    }

    let configuration: ConAirConfiguration
    let store: ReadingStore
    let values: Guarded<Values>

    init(configuration: ConAirConfiguration, store: ReadingStore) {
        self.configuration = configuration
        self.store = store
        values = Guarded(Values(sensor: configuration.sensor))
    }
}

extension ServerInstant {
    /// The instant nearest to a date, in the years 1 to 9999.
    init(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * Double(Self.perSecond)).rounded()
        let bounded = min(max(microseconds, Double(Self.earliest.microseconds)), Double(Self.latest.microseconds))
        // The last microseconds of year 9999 are no doubles.
        self = min(Self(microseconds: Int64(bounded)), .latest)
    }
}
