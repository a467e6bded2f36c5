public import AppNet
public import Foundation
internal import GRDB

// MARK: Properties that messages share

extension MessageManager {
    /// Observes the hashtags of a channel; see ``hashtags(in:since:before:limit:excluding:)``.
    nonisolated public func observeHashtags(
        in channel: AppNetChannel.ID,
        since: Date? = nil,
        before: Date? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) -> Observation<[HashtagInstances]> {
        listing { try $0.hashtags(in: channel, since: since, before: before, limit: limit, excluding: filter) }
    }

    /// Observes the messages with annotations of a type and the number of these; see
    /// ``annotations(ofType:in:after:limit:excluding:)``.
    nonisolated public func observeAnnotations(
        ofType type: String,
        in channel: AppNetChannel.ID,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) -> Observation<AnnotationInstances> {
        listing { try $0.annotations(ofType: type, in: channel, limit: limit, excluding: filter) }
    }

    /// Observes the places of a channel; see ``displayLocations(in:precision:limit:excluding:)``.
    nonisolated public func observeDisplayLocations(
        in channel: AppNetChannel.ID,
        precision: LocationPrecision = .tenKilometers,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) -> Observation<[DisplayLocationInstances]> {
        listing { try $0.displayLocations(in: channel, precision: precision, limit: limit, excluding: filter) }
    }

    private nonisolated func listing<Value>(
        _ body: @escaping @Sendable (InstanceReader) throws -> Value
    ) -> Observation<Value> {
        let configuration = context.configuration
        return Observation(context: context, tables: ObservedTables.messages) {
            try body(InstanceReader(database: $0, configuration: configuration))
        }
    }
}

// MARK: Places

extension MessageManager {
    /// Observes the places with a name; see ``places(matching:excludesCustom:includesUnused:limit:)``.
    nonisolated public func observePlaces(
        matching text: String,
        excludesCustom: Bool = false,
        includesUnused: Bool = false,
        limit: Int? = nil
    ) -> Observation<[CachedPlace]> {
        Observation(context: context, tables: ObservedTables.places) { database in
            try PlaceReader(database: database).places(
                matching: text,
                excludesCustom: excludesCustom,
                includesUnused: includesUnused,
                limit: limit
            )
        }
    }

    /// Observes the places near coordinates; see ``places(latitude:longitude:precision:excludesCustom:limit:)``.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north, from -90 to 90.
    ///   - longitude: Degrees east, from -360 to 360.
    ///   - precision: The maximum distance in each direction. Default: ``LocationPrecision/hundredMeters``.
    ///   - excludesCustom: Whether the app's own places are left out. Default: `false`.
    ///   - limit: The maximum number of places; `nil` for all. Default: `nil`.
    nonisolated public func observePlaces(
        latitude: Double,
        longitude: Double,
        precision: LocationPrecision = .hundredMeters,
        excludesCustom: Bool = false,
        limit: Int? = nil
    ) -> Observation<[CachedPlace]> {
        Observation(context: context, tables: ObservedTables.places) { database in
            try PlaceReader(database: database).places(
                latitude: latitude,
                longitude: longitude,
                precision: precision,
                excludesCustom: excludesCustom,
                limit: limit
            )
        }
    }
}
