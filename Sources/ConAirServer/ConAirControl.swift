public import Foundation
internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// A value that a sensor measured at a point in time.
public struct ConAirReading: Hashable, Sendable {
    /// The time, in whole microseconds. A time outside the years 1 to 9999 counts as the nearest time within them.
    public var date: Date
    /// The value.
    public var value: Double

    /// Creates a reading.
    public init(date: Date, value: Double) {
        self.date = date
        self.value = value
    }
}

/// Reads and changes the time series while the server runs, for tests and demonstrations.
public struct ConAirControl: Sendable {
    let state: ConAirState

    /// Returns the number of stored readings, without those of the sensor.
    ///
    /// - Throws: The error of the store if its file fails.
    public func readingCount() async throws -> Int { try await state.store.count() }

    /// Stores readings like `POST`, but in any number: for example late readings and corrections of the sensor's
    /// readings.
    ///
    /// - Throws: ``ConAirInvalidReading`` for a value that is not finite or a date that is not a number, before anything
    ///   is stored; the error of the store if its file fails.
    public func store(_ readings: [ConAirReading]) async throws {
        let stored = try readings.enumerated().map { index, reading in
            guard reading.value.isFinite, !reading.date.timeIntervalSince1970.isNaN else {
                throw ConAirInvalidReading(index: index)
            }
            return Reading(instant: ServerInstant(reading.date), value: reading.value)
        }
        try await state.store.save(stored, maximum: state.configuration.maximumReadings)
    }

    /// Hides all readings in a time range, from the sensor and stored ones, until ``removeGaps()``.
    public func addGap(_ range: Range<Date>) {
        let gap = ServerInstant(range.lowerBound)..<ServerInstant(range.upperBound)
        state.values.withLock { $0.gaps.append(gap) }
    }

    /// Removes all gaps.
    public func removeGaps() { state.values.withLock { $0.gaps = [] } }

    /// Sets whether the sensor's readings are visible. The configuration must have a sensor.
    public func setSensor(isOn: Bool) {
        state.values.withLock { $0.sensor = isOn ? state.configuration.sensor : nil }
    }
}

/// A reading whose value is not finite, or whose date is not a number.
public struct ConAirInvalidReading: Error, Hashable, Sendable, CustomStringConvertible {
    /// The index of the reading among the given ones, from 0.
    public let index: Int

    /// A sentence with the index.
    public var description: String { "reading \(index) has a value that is not finite, or a date that is not a number" }
}

/// The state shared by the routes and the control.
final class ConAirState: Sendable {
    struct Values: Sendable {
        var sensor: ConAirSensor?
        /// The time ranges without readings.
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
    /// Creates the instant nearest to a date, within the years 1 to 9999. A date that is not a number becomes the
    /// earliest instant.
    init(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * Double(Self.perSecond)).rounded()
        guard !microseconds.isNaN else {
            self = .earliest
            return
        }
        let bounded = min(max(microseconds, Double(Self.earliest.microseconds)), Double(Self.latest.microseconds))
        // The last microseconds of the year 9999 cannot be represented by a `Double`.
        self = min(Self(microseconds: Int64(bounded)), .latest)
    }
}

extension ConAirControl: CustomReflectable {
    /// No children, because the state of the server has the tokens and keys of clients.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
