public import AppNet
public import Foundation

// MARK: Properties that messages share

extension MessageManager {
    /// Returns the hashtags of a channel, the most recently used first.
    ///
    /// - Parameters:
    ///   - channel: The channel of the messages.
    ///   - since: The earliest display date of a use. Default: `nil`, no limit.
    ///   - before: The display date before which the uses are. Default: `nil`, no limit.
    ///   - limit: The maximum number of hashtags; `nil` for all.
    ///   - filter: Returns `true` for messages that do not count. Each message is read for it. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notIndexed`` if the configuration does
    ///   not extract hashtags.
    nonisolated public func hashtags(
        in channel: AppNetChannel.ID,
        since: Date? = nil,
        before: Date? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) async throws -> [HashtagInstances] {
        try await listing {
            try $0.hashtags(in: channel, since: since, before: before, limit: limit, excluding: filter)
        }
    }

    /// Returns the messages of a channel with annotations of a type, and the number of these messages.
    ///
    /// - Parameters:
    ///   - type: A type that is registered in ``MessageManagerConfiguration/annotationTypes``.
    ///   - channel: The channel of the messages.
    ///   - cursor: The position after which the messages are. Default: `nil`, which starts at the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    ///   - filter: Returns `true` for messages that do not count. Each message is read for it. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notIndexed`` for a type that is not
    ///   registered.
    nonisolated public func annotations(
        ofType type: String,
        in channel: AppNetChannel.ID,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) async throws -> AnnotationInstances {
        try await listing {
            try $0.annotations(ofType: type, in: channel, before: cursor, limit: limit, excluding: filter)
        }
    }

    /// Returns the places of a channel, the most recently used first.
    ///
    /// Places with the same name and the same truncated coordinates count as one.
    ///
    /// - Parameters:
    ///   - channel: The channel of the messages.
    ///   - precision: The unit to which coordinates are truncated.
    ///   - limit: The maximum number of places; `nil` for all.
    ///   - filter: Returns `true` for messages that do not count. Each message is read for it. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notIndexed`` if the configuration does
    ///   not look up locations.
    nonisolated public func displayLocations(
        in channel: AppNetChannel.ID,
        precision: LocationPrecision = .tenKilometers,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) async throws -> [DisplayLocationInstances] {
        try await listing {
            try $0.displayLocations(in: channel, precision: precision, limit: limit, excluding: filter)
        }
    }

    private nonisolated func listing<Value: Sendable>(
        _ body: @escaping @Sendable (InstanceReader) throws -> Value
    ) async throws -> Value {
        let configuration = context.configuration
        return try await context.read { try body(InstanceReader(database: $0, configuration: configuration)) }
    }
}

// MARK: Places

extension MessageManager {
    /// Returns the places whose names contain all words of a user's input, by name.
    ///
    /// - Parameters:
    ///   - text: The words, as the user typed them. Blank text finds nothing.
    ///   - excludesCustom: Whether the app's own places are left out.
    ///   - includesUnused: Whether places without a stored message are included.
    ///   - limit: The maximum number of places; `nil` for all.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func places(
        matching text: String,
        excludesCustom: Bool = false,
        includesUnused: Bool = false,
        limit: Int? = nil
    ) async throws -> [CachedPlace] {
        try await context.read { database in
            try PlaceReader(database: database).places(
                matching: text,
                excludesCustom: excludesCustom,
                includesUnused: includesUnused,
                limit: limit
            )
        }
    }

    /// Returns the places near coordinates, nearest first.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north, from -90 to 90.
    ///   - longitude: Degrees east, from -360 to 360.
    ///   - precision: The maximum distance in each direction.
    ///   - excludesCustom: Whether the app's own places are left out.
    ///   - limit: The maximum number of places; `nil` for all.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/invalidArgument`` for coordinates or a
    ///   precision out of range.
    nonisolated public func places(
        latitude: Double,
        longitude: Double,
        precision: LocationPrecision = .hundredMeters,
        excludesCustom: Bool = false,
        limit: Int? = nil
    ) async throws -> [CachedPlace] {
        try await context.read { database in
            try PlaceReader(database: database).places(
                latitude: latitude,
                longitude: longitude,
                precision: precision,
                excludesCustom: excludesCustom,
                limit: limit
            )
        }
    }

    /// Removes a place from the cache. Messages keep their locations.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func removePlace(_ id: String) async throws {
        try await context.write(try context.life.term()) { try PlaceTable(database: $0).delete(id) }
    }

    /// Removes all places from the cache. Messages keep their locations.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func removeAllPlaces() async throws {
        try await context.write(try context.life.term()) { try PlaceTable(database: $0).deleteAll() }
    }
}
